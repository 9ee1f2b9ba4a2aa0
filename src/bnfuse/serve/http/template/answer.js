// An answer on the page: the report's own script, and the workspace's additions. It runs again for every answer.
import { } from "./drawn-boxes.js"; // first: the report finds its boxes in the page
import { } from "./carried-over.js";
import { tellDecisions } from "./arc-decisions.js";
import { } from "./main.js";
import { bridge } from "./bridge.js";
import { startMarks } from "./change-marks.js";
import { startDisputes, tellDisputes } from "./dispute-table.js";
import { $ } from "./elements.js";
import { keepPlace } from "./kept-place.js";
import { codeOf, isKnown } from "./networks.js";
import { startOtherLimits } from "./other-limits.js";
import { variables } from "./page-data.js";
import { inTurns, restart } from "./restart.js";
import { startRows, tellRows } from "./row-section.js";
import { startSchools, tellSchools } from "./schools-section.js";
import { showArc } from "./shown-arc.js";
import { fillHeight, keepHeight } from "./still-picture.js";
import { fit } from "./viewport.js";

const MANY = 200; // variables: the parts below the picture may follow a little later

$("guide-button").hidden = false;
fillHeight();
startMarks(bridge.tellChanges, () => bridge.changedBy);
startDisputes();
startRows();
startOtherLimits();
startSchools();
bridge.tellWall?.();
if (bridge.isWall?.()) fit(); // the whole picture, always

bridge.answer = {
  renew() {
    const putBack = keepPlace();
    keepHeight();
    const isAtPicture = isInSight($("pictures"));
    const isAtTop = scrollY < 8;
    inTurns(isAtPicture && variables.length > MANY && !document.activeElement.closest("main > section:not(#first)"));
    restart(isAtPicture ? "pictures" : undefined);
    putBack();
    if (isAtTop) scrollTo({ top: 0, behavior: "instant" });
  },
  tellQuestion() {
    tellDecisions();
    tellDisputes();
    tellRows();
  },
  tellDisputes,
  tellRows,
  tellSchools,
  fit,
  showArc(source, target) {
    const code = codeOf(variables.indexOf(source), variables.indexOf(target));
    if (variables.includes(source) && variables.includes(target) && isKnown(code)) showArc(code);
  },
};

// A reader wants the picture to stay in place, even if the text above it gets shorter or longer.
function isInSight(part) {
  const { top, bottom } = part.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}
