// Where the two scripts of the page meet: the one that stays (workspace-page.js), and the one that is run anew for every answer (answer.js).
// The first gives `question`, `disputes`, `frontier`, `schools` and what can be done with them; the second gives `answer`, by which it is told
// of what is new.
export const bridge = (globalThis.bnfuse$bridge ??= { question: null, disputes: null, isSolved: false, frontier: null, answer: null });
