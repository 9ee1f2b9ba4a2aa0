// The settings: the limit on cliques, the distance, and the rule on directions.
import { $, element } from "./elements.js";
import { ask, held, onHeld } from "./held-inputs.js";

const CHOICES = {
  metric: ["Distance", [
    ["smhd", "SMHD (moral edges)"],
    ["shd", "SHD (arcs)"],
  ]],
  directions: ["Directions", [
    ["majority", "as in most inputs"],
    ["seen", "as in some input"],
    ["any", "any"],
  ]],
};
const [LEAST, MOST] = [2, 12];

export function startSettings() {
  const slider = element("input", { type: "range", id: "max-clique", min: LEAST, max: MOST, step: 1, value: held.settings.maxClique });
  const text = element("output", { for: "max-clique" });
  const tell = () => {
    text.textContent = slider.value;
    slider.setAttribute("aria-valuetext", `cliques of at most ${slider.value} variables`);
  };
  slider.addEventListener("input", () => {
    tell();
    ask({ maxClique: Number(slider.value) });
  });
  tell();
  const limit = element("label", { class: "setting limit" }, element("span", {}, "Largest clique"), slider, text);
  const hint = "A clique is a set of variables that exact inference handles together: the smaller the limit, the faster the network answers.";
  $("settings").replaceChildren(limit, element("p", { class: "note" }, hint), ...Object.entries(CHOICES).map(choice));
  onHeld(({ inputs }) => ($("settings-part").hidden = !inputs.length));
}

function choice([name, [title, options]]) {
  const select = element("select", { id: `asked-${name}` }, ...options.map(([value, words]) => element("option", { value }, words)));
  select.value = held.settings[name];
  select.addEventListener("change", () => ask({ [name]: select.value }));
  return element("label", { class: "setting" }, element("span", {}, title), select);
}
