// The rules that can be set on an arc, at the end of its details.
import { bridge } from "./bridge.js";
import { decisionButtons } from "./decision-buttons.js";
import { endArcsWith } from "./details-panel.js";

endArcsWith((code) => decisionButtons(code, bridge.decide));
