// The page in one minute: shown above it when a report is opened for the first time, until it is put away or the picture is pressed.
import { $, element } from "./elements.js";
import { hasInputs } from "./networks.js";
import { data, limits } from "./page-data.js";
import { isFirstRun } from "./restart.js";

const KEY = "bnfuse-guide"; // by which the browser remembers that it was put away, for all reports

const POINTS = [
  [
    "One network from many.",
    "As close as possible to all that went in, yet small enough to compute with. The headline says how good it is.",
  ],
  [
    "The picture.",
    "An arc joins variables that help to predict each other; it need not mean a cause. Solid blue is kept, dashed orange " +
    "was left out; thicker means that more agree. Point at an arc to see why.",
  ],
  ...(hasInputs
    ? [["Who disagrees.", "The longer its bar, the farther a network is from the consensus. Click a bar to see it."]]
    : []),
  ...(data.tables
    ? [["What if?", "Choose a variable and one of its states: every box shows how likely its own states are then."]]
    : []),
  ...(limits ? [["The limit.", "Move the slider at the top to see the best network for another one."]] : []),
  ["Strange words.", "Those with dots below are explained when you press them."],
];

// Whatever limit is shown, it stays as it is.
export function startGuide() {
  if (!isFirstRun) return;
  const button = $("guide-button");
  const guide = element(
    "aside",
    { id: "guide", "aria-labelledby": "guide-title", "data-stays": "", hidden: true },
    element("h2", { id: "guide-title" }, "This page in one minute"),
    element("button", { type: "button", id: "put-away", onclick: putAway }, "Put away"),
    element("ol", {}, ...POINTS.map(([title, text]) => element("li", {}, element("strong", {}, title), ` ${text}`))),
  );
  const toggle = (isShown) => {
    guide.hidden = !isShown;
    button.setAttribute("aria-expanded", isShown);
  };
  function putAway() {
    const hadFocus = guide.contains(document.activeElement);
    toggle(false);
    if (hadFocus) button.focus();
    remember();
  }
  button.addEventListener("click", () => {
    if (!guide.hidden) return putAway();
    toggle(true);
    $("put-away").focus();
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && !guide.hidden && putAway());
  document.addEventListener("click", ({ target }) => target.closest("#pictures") && !guide.hidden && putAway());
  document.querySelector("main").before(guide);
  // Whoever follows a link into a page wants to see what it leads to; whoever makes a consensus sees it all come about.
  if (!location.hash && !isRemembered() && !$("work")) toggle(true);
}

// A browser may keep nothing for pages that are opened from files: then it is put away for this view.
function remember() {
  try {
    localStorage.setItem(KEY, "away");
  } catch {
    return;
  }
}

function isRemembered() {
  try {
    return localStorage.getItem(KEY) === "away";
  } catch {
    return false;
  }
}
