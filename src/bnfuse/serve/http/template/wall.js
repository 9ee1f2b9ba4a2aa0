// For the wall: the picture and the most contested decisions in large type, and nothing to press. It follows the facilitator.
import { bridge } from "./bridge.js";
import { $, element } from "./elements.js";
import { send } from "./server.js";
import { onWork, work } from "./work.js";

const MOST = 5;
let looked = ""; // the arc that the facilitator is looking at, as last sent to everybody

const isWall = () => work.role === "read-only" || location.hash === "#wall";

export function startWall() {
  const list = element("ol", { id: "contested-now" });
  const place = element("aside", { id: "wall", "aria-label": "Most contested", "data-stays": "", hidden: true }, element("h2", {}, "Most contested"), list);
  $("line").after(place);
  const tell = () => {
    document.body.classList.toggle("wall", isWall());
    place.hidden = !isWall() || !bridge.disputes;
    if (place.hidden) return;
    list.replaceChildren(...bridge.disputes.slice(0, MOST).map(row));
  };
  onWork(tell);
  addEventListener("hashchange", () => {
    tell();
    bridge.answer?.fit();
  });
  bridge.tellWall = tell;
  bridge.isWall = isWall;
  bridge.looksAt = (source, target) => {
    const arc = JSON.stringify([source, target]);
    if (work.role !== "facilitator" || isWall() || arc === looked) return;
    looked = arc;
    send("POST", "/focus", { arc: [source, target] }).catch(() => null); // the connection reports it itself
  };
}

export function follow({ arc: [source, target] }) {
  if (isWall()) bridge.answer?.showArc(source, target);
}

const names = (who) => (who.length ? who.join(", ") : "nobody");

const row = ({ source, target, in: isIn, who }) =>
  element(
    "li",
    {},
    element("strong", {}, `${source} \u2192 ${target}`),
    element("span", { class: isIn ? "mark came" : "mark went" }, isIn ? "in" : "out"),
    element("p", {}, `for: ${names(who.forward)}`),
    who.backward.length ? element("p", {}, `reversed: ${names(who.backward)}`) : "",
    element("p", {}, `against: ${names(who.neither)}`),
  );
