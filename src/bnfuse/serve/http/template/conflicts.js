// Somebody else has changed the same item in the meantime: both versions, and the choice between them.
import { $, element } from "./elements.js";
import { chance, whole } from "./number-texts.js";
import { when } from "./times.js";

// A value as people write it.
function shown(value) {
  if (value === null || value === undefined || value === "") return "nothing";
  if (value === true) return "on";
  if (value === false) return "off";
  if (Array.isArray(value?.[0])) return value.map(([own, name]) => (own === name ? own : `${own} as ${name}`)).join(", "); // states
  if (Array.isArray(value)) return value.find((one) => one !== null) ?? "as usual";
  if (typeof value !== "object") return String(value);
  if (value.arc) return value.arc.join(" \u2192 ");
  if (value.states?.length) return value.states.join(", ");
  if (value.probabilities) {
    const states = Object.entries(value.probabilities).map(([state, share]) => `${state} ${chance(share)}`);
    return `${states.join(", ")}, counted as ${whole(value.cases)} cases`;
  }
  const rules = ["required", "forbidden"].flatMap((kind) => (value[kind] ?? []).map((arc) => `${kind} ${arc.join(" \u2192 ")}`));
  return rules.join(", ") || value.name || "there";
}

// `useMine` sends the change again, on the present revision; `keepTheirs` does the rest if it is not wanted.
export function tellConflicts(near, conflicts, useMine, keepTheirs = () => null) {
  const done = () => box.remove();
  const rows = conflicts.flatMap(({ what, who, time, theirs, yours }) => [
    element("dt", {}, what),
    element("dd", {}, element("strong", {}, `${who || "Somebody"}, ${when(time)}: `), shown(theirs)),
    element("dd", {}, element("strong", {}, "You: "), shown(yours)),
  ]);
  const box = element(
    "div",
    { class: "conflict wrong", role: "alertdialog", "aria-label": "Somebody else has changed this meanwhile" },
    element("p", {}, "Somebody else has changed this meanwhile. Which version should count?"),
    element("dl", {}, ...rows),
    element("button", {
      type: "button",
      onclick: () => {
        done();
        keepTheirs(conflicts);
      },
    }, "Keep theirs"),
    element("button", {
      type: "button",
      onclick: () => {
        done();
        useMine();
      },
    }, "Use mine"),
  );
  const isKept = near.isConnected && near.closest("[data-stays]"); // an answer renews everything else
  (isKept ? near : $("changes")).after(box);
  box.querySelector("button").focus({ preventScroll: true });
}
