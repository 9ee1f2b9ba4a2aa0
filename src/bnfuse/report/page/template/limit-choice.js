// The limit whose network is shown: a slider, and a position on the chart of the frontier.
import { $ } from "./elements.js";
import { isolated } from "./isolates.js";
import { sentence } from "./first-screen.js";
import { listed, whole } from "./number-texts.js";
import { data, facts, limit, limits, solved } from "./page-data.js";
import { restart, signal } from "./restart.js";

// The consensus itself may have a limit of another kind.
const textOf = (value) => (value === null ? "this report\u2019s own" : whole(value));

// From the element with an id, which does not move then.
export function showLimit(place, from) {
  if (place === limit.place) return;
  limit.place = place;
  restart(from);
}

export function startLimits() {
  const areThere = limits && !solved.answer; // the slider has networks for the report's own question alone
  $("limits").hidden = !areThere;
  if (!areThere) return;
  document.title = isolated(`Consensus: ${facts.what}`);
  const [slider, back] = [$("limit"), $("own-limit")];
  const shown = textOf(limits.limits[limit.place]);
  slider.max = limits.limits.length - 1;
  slider.value = limit.place;
  slider.setAttribute("aria-valuetext", shown);
  $("limit-word").textContent = data.steps_through_tables ? "Limit on clique tables" : "Limit on cliques";
  $("limit-text").textContent = shown;
  $("limit-hint").textContent = remarks().join(" ");
  back.textContent = `Back to ${textOf(limits.limits[limits.own])}`;
  back.disabled = limit.place === limits.own;
  slider.addEventListener("input", () => showLimit(Number(slider.value)), { signal });
  back.addEventListener("click", () => {
    slider.focus({ preventScroll: true }); // the button disappears
    showLimit(limits.own);
  }, { signal });
}

function remarks() {
  const { hint, left_out: without } = limits;
  return [
    hint && sentence(hint),
    without.length && `Without ${listed(without.map(textOf))}: this page would be too large.`,
  ].filter(Boolean);
}
