// The best networks for other limits, on request.
import { bridge } from "./bridge.js";
import { $, element, note } from "./elements.js";
import { drawFrontier } from "./frontier.js";
import { data } from "./page-data.js";
import { card } from "./plot-frame.js";

export function startOtherLimits() {
  if (data.frontier.length) return; // the charts of the answer show it
  if (data.facts.metric === "fsim" && !data.facts.is_clique_limited) return;
  const place = element("div", { id: "other-limits" });
  $("charts").prepend(place);
  if (bridge.frontier) draw(place, bridge.frontier);
  else offer(place);
}

function offer(place) {
  const button = element("button", { type: "button", "data-key": "frontier", onclick: ask }, "Look at other limits");
  const said = element("p", { class: "note", role: "status" });
  place.replaceChildren(card("Other limits", note("How close the consensus could be, and what it would cost, with other limits on cliques."), button, said));

  async function ask() {
    button.disabled = true;
    said.textContent = "Looking\u2026";
    await bridge.askFrontier(said);
    button.disabled = false;
    if (bridge.frontier && place.isConnected) draw(place, bridge.frontier);
  }
}

function draw(place, points) {
  data.frontier = points.map((point) => ({ ...point, tables: Math.log10(Number(point.tables)) }));
  data.steps_through_tables = false;
  place.replaceChildren(drawFrontier() ?? "");
}
