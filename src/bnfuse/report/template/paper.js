// On paper the picture has no corners to be moved to: it shows the whole network, and then again what it showed.
import { $ } from "./elements.js";
import { paintForPaper, repaint } from "./painted-picture.js";
import { placing } from "./placing.js";
import { signal } from "./restart.js";

export function startPaper() {
  const net = $("net");
  let before = null;
  addEventListener("beforeprint", () => {
    before ??= net.getAttribute("viewBox");
    net.setAttribute("viewBox", `0 0 ${placing().size.join(" ")}`);
    paintForPaper();
  }, { signal });
  addEventListener("afterprint", () => {
    if (before !== null) net.setAttribute("viewBox", before);
    before = null;
    repaint();
  }, { signal });
}
