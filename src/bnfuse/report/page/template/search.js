// The search for a variable: Enter steps through the hits, with Shift backwards. A complete name is selected as it is
// typed, and the Enter after it stays there.
import { tellNotFound } from "./details-panel.js";
import { $, element } from "./elements.js";
import { whole } from "./number-texts.js";
import { variables } from "./page-data.js";
import { goTo } from "./viewport.js";

const lowered = variables.map((name) => name.toLowerCase());

// The name itself first, then names that begin with the text, then those that contain it elsewhere.
function hitsFor(wanted) {
  const rank = (v) => (lowered[v] === wanted ? 0 : lowered[v].startsWith(wanted) ? 1 : 2);
  const hits = variables.map((_, v) => v).filter((v) => lowered[v].includes(wanted));
  return hits.sort((one, other) => rank(one) - rank(other) || one - other);
}

export function startSearch() {
  const [field, count] = [$("search"), $("hits")];
  let hits = [];
  let at = -1; // among the hits
  let isThere = false; // at a whole name, before any key
  const tellCount = () => {
    count.textContent = hits.length > 1 ? (at < 0 ? `${whole(hits.length)} hits` : `${whole(at + 1)} of ${whole(hits.length)}`) : "";
  };
  const step = (by) => {
    at = at < 0 ? (by > 0 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length;
    goTo(hits[at]);
  };
  $("names").append(...variables.map((name) => element("option", { value: name })));
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    hits = wanted ? hitsFor(wanted) : [];
    at = -1;
    isThere = hits.length > 0 && lowered[hits[0]] === wanted;
    if (isThere) step(1);
    tellCount();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !field.value.trim()) return;
    if (hits.length) step(event.shiftKey ? -1 : isThere ? 0 : 1);
    else tellNotFound(field.value.trim());
    isThere = false;
    tellCount();
  });
}
