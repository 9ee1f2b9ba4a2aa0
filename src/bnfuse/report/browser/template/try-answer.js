// An answer on the page: the report's own script, and this page's additions. It runs again for every answer.
import { } from "./drawn-boxes.js"; // first: the report finds its boxes in the page
import { } from "./carried-over.js";
import { } from "./asked-of-arcs.js";
import { } from "./main.js";
import { bridge } from "./bridge.js";
import { startMarks } from "./change-marks.js";
import { $ } from "./elements.js";
import { keepPlace } from "./kept-place.js";
import { inTurns, restart } from "./restart.js";

$("guide-button").hidden = false;
startMarks(bridge.tellChanges);

bridge.answer = {
  renew() {
    const putBack = keepPlace();
    const isAtTop = scrollY < 8;
    inTurns(true); // so that no pause is felt
    const { top, bottom } = $("pictures").getBoundingClientRect();
    restart(top < innerHeight && bottom > 0 ? "pictures" : undefined);
    putBack();
    if (isAtTop) scrollTo({ top: 0, behavior: "instant" });
  },
};
