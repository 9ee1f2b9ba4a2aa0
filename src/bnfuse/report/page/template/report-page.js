// The page of a report: the common parts of all pages of a consensus, and the panel that solves again.
import { } from "./main.js";
import { isChanged } from "./asked.js";
import { startMarks } from "./change-marks.js";
import { remembered, signal } from "./restart.js";
import { startSolvingPanel } from "./solving-panel.js";
import { canSolve, solving } from "./solving.js";
import { choose, stage } from "./stage.js";

const address = remembered("address", { isAsked: false });
if (!signal.aborted) start(); // an address with a limit has made the page anew by now

function start() {
  startSolvingPanel();
  for (const link of document.querySelectorAll("nav a")) link.hidden = !document.querySelector(link.getAttribute("href"));
  startMarks();
  if (canSolve && stage.chosen) choose(stage.chosen); // its details end with what can be asked of it
  if (!canSolve || address.isAsked) return;
  address.isAsked = true;
  if (isChanged()) solving.again(); // as it says
}
