// The stability of the arcs: bars next to the picture, all strengths as a plot, and the arcs on which the threshold and
// the consensus disagree.
import { $, element, note } from "./elements.js";
import { consensus, named } from "./networks.js";
import { finePercent, whole } from "./number-texts.js";
import { why } from "./reasons.js";
import { remembered } from "./restart.js";
import { showArc } from "./shown-arc.js";
import { byStrength, direction, freeShare, hasClasses, inWords, isFree, isStrong, pairs, strength } from "./stability.js";
import { choose, onChoice, stage } from "./stage.js";
import { drawStrengths } from "./strength-plot.js";

const FIRST_BARS = 12;
const MOST_LISTED = 10;
const bars = remembered("stable bars", { areAllShown: false });

export function startStableBars() {
  $("bars-title").textContent = "How stable the arcs are, weakest first";
  if (!consensus.size) {
    $("bars-card").append(note("The consensus has no arcs."));
    return;
  }
  $("bars").classList.add("arcs");
  $("all-bars").addEventListener("click", () => {
    bars.areAllShown = !bars.areAllShown;
    drawBars();
  });
  onChoice((what) => {
    for (const button of $("bars").querySelectorAll("[data-arc]")) {
      button.setAttribute("aria-pressed", Boolean(what) && Number(button.dataset.arc) === what.arc);
    }
  });
  $("bars").after(note(`Length: strength. In full colour: in this direction${hasClasses ? ", half of what leaves the direction free" : ""}.`));
  drawBars();
}

function drawBars() {
  const sorted = [...consensus].sort(byStrength).reverse();
  const visible = bars.areAllShown ? sorted : sorted.slice(0, FIRST_BARS);
  $("bars").replaceChildren(...visible.map((code) => element("li", {}, barButton(code))));
  const button = $("all-bars");
  button.hidden = sorted.length <= FIRST_BARS;
  button.textContent = bars.areAllShown ? `Show the ${FIRST_BARS} weakest` : `Show all ${whole(sorted.length)}`;
}

function barButton(code) {
  const bar = element("span", { class: "bar" });
  bar.style.width = `${100 * strength(code)}%`;
  bar.style.setProperty("--this-way", `${100 * direction(code)}%`);
  return element(
    "button",
    {
      type: "button",
      class: isStrong(code) ? "" : "apart",
      "data-arc": code,
      "aria-pressed": String(Boolean(stage.chosen) && stage.chosen.arc === code),
      title: named(code),
      "aria-label": `${named(code)}: ${inWords(code)}${isStrong(code) ? "" : ", not strong"}. Show it.`,
      onclick: () => choose(stage.chosen && stage.chosen.arc === code ? null : { arc: code }),
    },
    element("span", { class: "who" }, named(code), isStrong(code) ? null : element("em", {}, "not strong"), isFree(code) ? element("em", { class: "free" }, "free") : null),
    bar,
    element("span", { class: "value" }, finePercent(strength(code))),
  );
}

export function tellStability() {
  const weak = [...consensus].filter((code) => !isStrong(code)).sort(byStrength);
  const lacking = pairs().filter((code) => isStrong(code) && !consensus.has(code));
  $("strengths").replaceChildren(...drawStrengths());
  $("unstable").replaceChildren(
    element("h2", {}, "Where the threshold and the consensus differ"),
    ...arcList("In the consensus, but not strong", weak, () => []),
    ...arcList("Strong, but not in the consensus", lacking, why),
    note(
      "Each network was learned from a resample: as many rows as the data have, drawn with replacement. " +
        "Strength: the share of these networks that join the two variables, in either direction. Direction: the share of those that have the arc this way" +
        (hasClasses ? "; a network counts half for each direction if its equivalence class leaves the direction free, as no data can determine it. An arc is free if most of them leave it free. " : ". ") +
        "An arc is strong if its strength is over the threshold " +
        "estimated from all strengths (Scutari and Nagarajan 2013), or is 100\u00a0%. The consensus is chosen " +
        "by the mean distance and its limits, not by the threshold.",
    ),
  );
}

function arcList(title, codes, further) {
  const left = codes.length - MOST_LISTED;
  return [
    element("h3", {}, `${title} (${whole(codes.length)})`),
    element(
      "ul",
      { class: "arc-list" },
      ...codes.slice(0, MOST_LISTED).map((code) =>
        element(
          "li",
          {},
          element("button", { type: "button", onclick: () => showArc(code) }, named(code)),
          `: ${[`${inWords(code)}.`, ...further(code)].join(" ")}`,
        )
      ),
      codes.length ? null : element("li", {}, "none"),
      left > 0 ? element("li", {}, `and ${whole(left)} more, in the table of arcs below`) : null,
    ),
  ];
}

// Of a table of arcs, to a tenth of a percent.
export const stabilityColumns = () =>
  [["Strength in %", strength], ["Direction in %", direction], ...(hasClasses ? [["Left free in %", freeShare]] : [])].map(([name, part]) => ({
    name,
    of: (code) => Math.round(1000 * part(code)) / 10,
    isNumber: true,
  }));
