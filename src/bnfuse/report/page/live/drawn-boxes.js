// The boxes of the picture: in a report, Python has put them into the file; here they come with the data.
import { $, svgElement } from "./elements.js";
import { data, layout, variables } from "./page-data.js";

const group = $("net").querySelector(".nodes");

group.replaceChildren(...variables.map((name, v) => {
  const [x, y, width] = [layout.x[v], layout.y[v], layout.widths[v]];
  const label = data.labels[v];
  const box = { x: x - width / 2, y: y - layout.height / 2, width, height: layout.height, rx: 6 };
  return svgElement(
    "g",
    { class: "node", "data-v": v },
    svgElement("rect", box),
    svgElement("text", { x, y: y + 4 }, label),
    ...(label === name ? [] : [svgElement("title", {}, name)]),
  );
}));
