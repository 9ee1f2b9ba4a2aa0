// On paper, the picture cannot be moved: it shows the whole network, and afterwards its previous part.
import { $ } from "./elements.js";
import { paintForPaper, repaint } from "./painted-picture.js";
import { extent } from "./placing.js";
import { signal } from "./restart.js";

export function startPaper() {
  const net = $("net");
  let before = null;
  addEventListener("beforeprint", () => {
    const [left, wide, high] = extent();
    before ??= net.getAttribute("viewBox");
    net.setAttribute("viewBox", `${left} 0 ${wide} ${high}`);
    paintForPaper();
  }, { signal });
  addEventListener("afterprint", () => {
    if (before !== null) net.setAttribute("viewBox", before);
    before = null;
    repaint();
  }, { signal });
}
