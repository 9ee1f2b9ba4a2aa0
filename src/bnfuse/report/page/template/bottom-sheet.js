// On a phone, the selected item is described in a sheet at the bottom of the screen; the picture above it stays in
// sight.
import { $ } from "./elements.js";
import { choose, onChoice } from "./stage.js";

const FAR = 50; // pixels that a finger drags it down to close it

export function startSheet() {
  const [sheet, handle] = [$("sheet"), $("sheet-close")];
  onChoice((what) => {
    sheet.classList.toggle("open", Boolean(what));
    if (!what || getComputedStyle(sheet).position !== "fixed") return;
    $("details").scrollTop = 0;
    requestAnimationFrame(() => { // the reader may also be scrolling
      const below = $("net").getBoundingClientRect().bottom - sheet.getBoundingClientRect().top;
      if (below > 0) scrollBy({ top: below });
    });
  });
  handle.addEventListener("click", () => choose(null));
  let start = 0;
  handle.addEventListener("touchstart", ({ touches }) => (start = touches[0].clientY), { passive: true });
  handle.addEventListener("touchend", ({ changedTouches }) => changedTouches[0].clientY - start > FAR && choose(null));
}
