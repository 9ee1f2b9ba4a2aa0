// The whole page, from top to bottom.
import { tellArcs } from "./arc-table.js";
import { startSheet } from "./bottom-sheet.js";
import { startBoxBars } from "./box-bars.js";
import { tellCliques } from "./clique-table.js";
import { startColours } from "./colour-scheme.js";
import { tellComparison } from "./comparison-table.js";
import { startContested } from "./contested.js";
import { drawConvergence } from "./convergence.js";
import { countedArcs } from "./counted-arcs.js";
import { startDetails } from "./details-panel.js";
import { startBars } from "./distance-bars.js";
import { startDownloads } from "./downloads.js";
import { $ } from "./elements.js";
import { startEvidence } from "./evidence-strip.js";
import { startFingers } from "./fingers.js";
import { tellFirst } from "./first-screen.js";
import { startFragment } from "./fragment.js";
import { drawFrontier } from "./frontier.js";
import { startGlossary } from "./glossary.js";
import { startGuide } from "./guide.js";
import { drawHeatMap } from "./heat-map.js";
import { tellInputs } from "./input-table.js";
import { startLimits } from "./limit-choice.js";
import { startMinimap } from "./minimap.js";
import { startMoves } from "./moved-boxes.js";
import { startNeighbourhood } from "./neighbourhood.js";
import { startPicture } from "./network-picture.js";
import { isKnown } from "./networks.js";
import { tellNotes } from "./notes.js";
import { startNumberAnswers } from "./number-answers.js";
import { startNumbers } from "./number-boxes.js";
import { tellOrigin } from "./origin.js";
import { isOfResamples, solved } from "./page-data.js";
import { startPaper } from "./paper.js";
import { tellParameters } from "./parameter-table.js";
import { startInput } from "./picture-input.js";
import { startPosteriors } from "./posterior-bars.js";
import { inTurn, isFirstRun } from "./restart.js";
import { startSearch } from "./search.js";
import { startSideBySide } from "./side-by-side.js";
import { startStableBars, tellStability } from "./stable-arcs.js";
import { choose, show, stage } from "./stage.js";
import { startTooltip } from "./tooltip.js";
import { startViewChoice } from "./view-choice.js";
import { startViewport } from "./viewport.js";

document.body.classList.remove("still");
startColours();
startLimits();
tellFirst();
if (isOfResamples) startStableBars();
else startBars();
startContested();
startNeighbourhood();
startPicture();
startDetails();
startPosteriors();
startEvidence();
startBoxBars();
startNumbers();
startNumberAnswers();
const view = startViewChoice();
startViewport();
startMinimap();
startInput();
startSearch();
startFingers($("net"));
startMoves();
startSideBySide();
startSheet();
startTooltip();
startDownloads();
show(isFirstRun ? view : {});
if (stage.chosen) choose(isThere(stage.chosen) ? stage.chosen : null);
if (solved.answer) leaveOut();
inTurn(
  ...(solved.answer ? [tellArcs] : [tellSection, tellNotes, drawCharts, tellComparison, tellArcs, tellCliques, tellParameters, tellOrigin]),
  startGlossary,
  startGuide,
  startPaper,
  startFragment, // last: it may start again
);

// Parts that belong to the report as it was sent, and not to the page's own result.
function leaveOut() {
  for (const id of ["disagree", "stable", "good", "origin", "clique-table", "parameters"]) $(id).remove();
}

function drawCharts() {
  $("charts").prepend(...[drawFrontier(), drawConvergence()].filter(Boolean));
}

// Whether the selection on another page of this report exists on this one too.
function isThere({ arc, told }) {
  if (told !== undefined) return countedArcs(told).length > 0;
  return arc === undefined || isKnown(arc);
}

// Inputs are compared; resamples are not, and show how stable the arcs are.
function tellSection() {
  const other = isOfResamples ? "disagree" : "stable";
  $(other).remove();
  document.querySelector(`nav [href="#${other}"]`)?.remove();
  if (isOfResamples) tellStability();
  else {
    drawHeatMap();
    tellInputs();
  }
}
