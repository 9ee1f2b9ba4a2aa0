// The connection between the two scripts of the page: the permanent one (workspace-page.js), and the one that runs
// again for every answer (answer.js). The first provides `question`, `disputes`, `frontier`, `schools` and the actions
// on them; the second provides `answer`, through which it receives news.
export const bridge = (globalThis.bnfuse$bridge ??= { question: null, disputes: null, isSolved: false, frontier: null, answer: null });
