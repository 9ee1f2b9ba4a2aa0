// Only the visible rows of a long table are in the page, with gaps above and below that are as high as the others.
import { element } from "./elements.js";
import { signal } from "./restart.js";

const FEW = 500; // so many rows are in the page, all of them
const SPARE = 20; // above and below what is in sight

// rowAt(place) makes a row. show(count) shows so many, from the first one.
export function rowWindow(region, table, rowAt, mostOnPaper, few = FEW) {
  const body = table.tBodies[0];
  const [above, below] = [gap(), gap()];
  const drawn = new Map();
  let [count, height] = [0, 0];
  const isLong = () => count > few;

  function draw(first, last) {
    for (const [place, row] of drawn) {
      if (place >= first && place < last) continue;
      row.remove();
      drawn.delete(place);
    }
    let next = isLong() ? below : null;
    for (let place = last - 1; place >= first; place--) {
      if (!drawn.has(place)) drawn.set(place, body.insertBefore(rowAt(place), next)); // the element with the focus must not move
      next = drawn.get(place);
    }
    above.style.height = `${first * height}px`;
    below.style.height = `${(count - last) * height}px`;
  }

  function drawInSight() {
    if (!isLong()) return draw(0, count);
    const first = Math.max(0, Math.floor(region.scrollTop / height) - SPARE);
    draw(Math.min(first, count), Math.min(count, first + Math.ceil(region.clientHeight / height) + 2 * SPARE));
    // Columns never become narrower while rows come and go. All are measured first: each change would lay out the page anew.
    const heads = [...table.tHead.rows[0].cells];
    heads.map((head) => head.offsetWidth).forEach((wide, i) => {
      if (wide > (parseFloat(heads[i].style.minWidth) || 0)) heads[i].style.minWidth = `${wide}px`;
    });
  }

  region.addEventListener("scroll", () => isLong() && drawInSight());
  addEventListener("beforeprint", () => isLong() && draw(0, mostOnPaper), { signal });
  addEventListener("afterprint", drawInSight, { signal });

  return (many) => {
    count = many;
    drawn.clear();
    body.replaceChildren(...(isLong() ? [above, below] : []));
    table.classList.toggle("long", isLong());
    table.removeAttribute("aria-rowcount");
    if (isLong()) {
      table.setAttribute("aria-rowcount", count + 1);
      region.scrollTop = 0;
      draw(0, 1);
      height = drawn.get(0).getBoundingClientRect().height || 30;
    }
    drawInSight();
  };
}

const gap = () => element("tr", { class: "gap", "aria-hidden": "true" });
