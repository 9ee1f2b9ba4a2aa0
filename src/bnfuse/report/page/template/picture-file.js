// The picture as a separate file, with the colours that it has on the screen and its legend below it.
import { $, svgElement } from "./elements.js";
import { withAll } from "./network-picture.js";
import { extent } from "./placing.js";

const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-weight", "font-size", "transform",
];
const MARGIN = 12;
const LINE = 20; // of the legend
const GAP = 24; // between two networks
const LARGEST = 8000; // pixels of a side, that every browser can draw

function withLooks(original) {
  const copy = original.cloneNode(false);
  for (const name of ["class", "style", "role", "tabindex"]) copy.removeAttribute(name);
  const looks = getComputedStyle(original);
  for (const name of LOOKS) {
    const value = looks.getPropertyValue(name);
    if (value && value !== "none" || name === "fill") copy.setAttribute(name, value);
  }
  for (const one of original.childNodes) {
    if (one.nodeType === Node.TEXT_NODE) copy.append(one.data);
    else if (!one.matches(".hit, title")) copy.append(withLooks(one));
  }
  return copy;
}

const isOfTwo = () => $("pictures").classList.contains("two");
const wholePicture = () => withAll(() => withLooks($("net")));

// Two networks side by side, each below its name.
function bothPictures(left, right) {
  const names = [...$("pictures").querySelectorAll(".whose")];
  return [wholePicture(), withLooks($("other-net"))].map((net, i) =>
    svgElement("g", { transform: `translate(${i ? right - left : 0} 0)` },
      svgElement("text", { x: left, y: -8, fill: getComputedStyle(names[i]).color, "font-weight": 600 }, names[i].textContent),
      ...net.children)
  );
}

// Its text, and how large it is.
export function svgFile() {
  const looks = getComputedStyle(document.documentElement);
  const items = [...$("legend").children].filter((item) => item.getClientRects().length);
  const [left, width, high] = extent();
  const [top, whole] = isOfTwo() ? [-LINE, 2 * width + GAP] : [0, width];
  const wide = Math.max(whole, ...items.map((item) => 60 + 6.6 * item.textContent.length));
  const size = { width: wide + 2 * MARGIN, height: high - top + 3 * MARGIN + LINE * items.length };
  const legend = items.map((item, i) => {
    const y = high + MARGIN + LINE * i;
    const sign = item.querySelector("svg");
    const marks = sign ? [...sign.children].map(withLooks) : [];
    return svgElement("g", { transform: `translate(${left} ${y})` }, svgElement("g", {}, ...marks),
      svgElement("text", { x: sign ? 42 : 0, y: 9, fill: getComputedStyle(item).color }, item.textContent));
  });
  const pictures = isOfTwo() ? bothPictures(left, left + width + GAP) : [...wholePicture().children];
  const picture = svgElement("svg", {
    viewBox: `${left - MARGIN} ${top - MARGIN} ${size.width} ${size.height}`,
    ...size,
    "font-family": looks.fontFamily,
    "font-size": 12,
  });
  const paper = getComputedStyle($("net").closest(".card")).backgroundColor;
  picture.append(
    svgElement("rect", { x: left - MARGIN, y: top - MARGIN, ...size, fill: paper }),
    ...pictures,
    ...legend,
  );
  return { text: new XMLSerializer().serializeToString(picture), ...size };
}

// Twice as fine as on the screen.
export async function pngFile() {
  const { text, width, height } = svgFile();
  const scale = Math.min(2, LARGEST / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done));
}
