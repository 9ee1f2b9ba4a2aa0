// The first screen beside the picture: the headline, the facts, the distances.

// A sentence of ours starts with a capital; one that starts with somebody's name is left alone.
const sentence = (text) => (facts.apart.length ? `${text}.` : `${text[0].toUpperCase()}${text.slice(1)}.`);

function tellFirst() {
  const who = hasInputs ? count(inputs.length, "network") : `A tally of weight ${whole(data.weight)}`;
  const proof = facts.gap === 0
    ? ", proven optimal"
    : facts.gap === null
    ? ""
    : `, gap to the optimum at most ${gapText()}`;
  $("headline").textContent = `${who}, one consensus: ${count(facts.arcs, "arc")}${proof}`;
  const lead = $("lead");
  const first = facts.apart[0];
  if (first !== undefined) lead.append(element("strong", {}, first), `${facts.who.slice(first.length)}.`);
  else lead.append(sentence(facts.who));
  if (facts.stopped_by !== "finished") lead.append(` The search was stopped early (${facts.stopped_by}).`);
  const to = facts.target === "inputs" ? "the inputs" : "the full fusion";
  const tiles = [["Mean distance", number(facts.distance), `${METRIC} to ${to}`]];
  if (facts.bound !== null) {
    // Rounded up it would claim too much.
    const below = facts.gap === 0 ? facts.distance : Math.floor(facts.bound * 100 + 1e-6) / 100;
    tiles.push([
      "Proven bound",
      number(below),
      facts.gap === 0 ? "reached: nothing is closer" : `nothing is closer; gap ${gapText()}`,
    ]);
  }
  tiles.push(["Largest clique", String(facts.clique), `limit ${facts.limit}, treewidth ${facts.clique - 1}`]);
  if (facts.majority !== null) tiles.push(["Majority vote", number(facts.majority), "mean distance, the usual way"]);
  if (facts.fused) tiles.push(["Full fusion", number(facts.fused.distance), `largest clique ${facts.fused.clique}`]);
  $("facts").replaceChildren(
    ...tiles.map(([name, value, more], i) =>
      element(
        "div",
        { class: i > 3 ? "extra" : "" },
        element("dt", {}, name),
        element("dd", {}, value, element("small", {}, more)),
      )
    ),
  );
}

const gapText = () => `${number(Math.ceil(1000 * facts.gap) / 10, 1)}\u00a0%`; // rounded up: what is proven

let isBarsWhole = false;
function drawBars() {
  if (!hasInputs) {
    $("bars-card").append(element("p", { class: "note" }, "A tally has only counts: who disagrees is not known."));
    return;
  }
  const sorted = inputs.map((input, i) => [input, i]).sort(([a, i], [b, j]) => b.distance - a.distance || i - j);
  const most = Math.max(1e-9, sorted[0][0].distance);
  const visible = isBarsWhole ? sorted : sorted.slice(0, FIRST_BARS);
  $("bars").replaceChildren(...visible.map(([input, i]) => {
    const bar = element("span", { class: "bar" });
    bar.style.width = `${(100 * input.distance) / most}%`;
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          class: input.apart ? "apart" : "",
          "data-i": i,
          "aria-pressed": $("view").value === String(i),
          title: input.name,
          "aria-label": `${input.name}: distance ${whole(input.distance)}${
            input.apart ? ", stands apart" : ""
          }. Show it.`,
          onclick: () => {
            $("view").value = $("view").value === String(i) ? "consensus" : String(i);
            changeView();
          },
        },
        element("span", { class: "who" }, input.name, input.apart ? element("em", {}, "stands apart") : null),
        bar,
        element("span", { class: "value" }, whole(input.distance)),
      ),
    );
  }));
  const button = $("all-bars");
  button.hidden = sorted.length <= FIRST_BARS;
  button.textContent = isBarsWhole ? `Show the ${FIRST_BARS} farthest` : `Show all ${sorted.length}`;
}

function changeView() {
  const key = $("view").value;
  $("pair").hidden = key !== "difference";
  $("threshold").hidden = key !== "consensus";
  const parts = hasInputs ? inputs.length : 20;
  $("least-text").textContent = hasInputs
    ? `${$("least").value} of ${parts}`
    : percent(Number($("least").value) / parts);
  for (const button of $("bars").querySelectorAll("[data-i]")) {
    button.setAttribute("aria-pressed", button.dataset.i === key);
  }
  drawArcs();
  tell(chosen);
}

function fillChoices() {
  const keys = ["consensus", ...(fusion ? ["fusion"] : []), ...inputs.map((_, i) => String(i))];
  const option = (key) => element("option", { value: key }, nameOf(key));
  const view = $("view");
  view.append(option("consensus"));
  if (fusion) {
    view.append(option("fusion"), element("option", { value: "difference" }, "difference of two"));
    view.append(element("optgroup", { label: "Inputs" }, ...inputs.map((_, i) => option(String(i)))));
    $("one").append(...keys.map(option));
    $("other").append(...keys.map(option));
    const farthest = inputs.reduce((best, input, i) => (input.distance > inputs[best].distance ? i : best), 0);
    $("other").value = String(farthest);
  }
  const parts = hasInputs ? inputs.length : 20;
  $("least").max = parts;
  $("least").value = Math.ceil(parts / 2);
  $("names").append(...variables.map((name) => element("option", { value: name })));
}
