// The page in one minute: shown when a report is opened for the first time, until it is closed, or something is pressed
// or chosen. It takes the place of the details, which appear when it is closed, or is above the picture if there is one
// column.
import { $, element } from "./elements.js";
import { hasInputs } from "./networks.js";
import { data, hasOwnDisputes, limits } from "./page-data.js";
import { remembered, signal } from "./restart.js";
import { onChoice } from "./stage.js";

const KEY = "bnfuse-guide"; // the key by which the browser remembers that it was closed, for all reports
const ONE_COLUMN = "(max-width: 1050px)"; // as screens.css has it

const POINTS = [
  ["One network from many.", "As close as possible to all inputs, yet small enough for computations."],
  [
    "The picture.",
    "An arc joins variables that help to predict each other; it need not mean a cause. Solid blue is kept, dashed orange " +
    "was left out; thicker means that more agree. Press an arc to see why.",
  ],
  ...(hasOwnDisputes ? [["Where to start.", "Press one of the most contested decisions."]] : []),
  ...(hasInputs ? [["Who disagrees.", "The longer its bar, the farther a network is from the consensus."]] : []),
  ...(data.tables ? [["What if?", "Press a variable and one of its states: every box shows the new probabilities."]] : []),
  ...(limits ? [["The limit.", "Move the slider at the top to see the best network for another one."]] : []),
  ["Unfamiliar words.", "Those with dots below are explained when you press them."],
];

export function startGuide() {
  // A reader who follows a link into a page wants to see its target; a reader who makes a consensus sees it develop.
  const guideNow = remembered("guide", { isShown: !location.hash && !isRemembered() && !$("work") });
  const button = $("guide-button");
  const guide = element(
    "aside",
    { id: "guide", class: "card", "aria-labelledby": "guide-title" },
    element("button", { type: "button", id: "put-away", onclick: putAway }, "Close"),
    element("h2", { id: "guide-title" }, "This page in one minute"),
    element("ol", {}, ...POINTS.map(([title, text]) => element("li", {}, element("strong", {}, title), ` ${text}`))),
  );
  const toggle = (isShown) => {
    guideNow.isShown = isShown;
    guide.hidden = !isShown;
    button.setAttribute("aria-expanded", isShown);
  };
  function putAway() {
    if (guide.hidden) return;
    const hadFocus = guide.contains(document.activeElement);
    toggle(false);
    if (hadFocus) button.focus();
    remember();
  }
  button.addEventListener("click", () => {
    if (!guide.hidden) return putAway();
    toggle(true);
    $("put-away").focus();
  }, { signal });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && putAway(), { signal });
  $("pictures").addEventListener("click", putAway);
  onChoice((what) => what && putAway());
  (matchMedia(ONE_COLUMN).matches ? document.querySelector(".stage") : $("sheet")).before(guide);
  toggle(guideNow.isShown);
}

// A browser may store nothing for pages opened from files: then it is closed for this view only.
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
