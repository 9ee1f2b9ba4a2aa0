// The views: which arcs are shown, and what each kind of line means there.

// A network by its key: "consensus", "fusion", or the number of an input.
const networkOf = (key) => (key === "consensus" ? consensus : key === "fusion" ? fusion : inputs[Number(key)].arcs);
const nameOf = (
  key,
) => (key === "consensus" ? "consensus" : key === "fusion" ? "full fusion" : inputs[Number(key)].name);

const inWords = (key) => (key === "consensus" || key === "fusion" ? `the ${nameOf(key)}` : nameOf(key));

function leastShare() {
  const parts = hasInputs ? inputs.length : 20;
  return Number($("least").value) / parts;
}

// The arcs of a view as [code, kind], and what the kinds mean there.
function viewed() {
  const key = $("view").value;
  if (key === "consensus") {
    const arcs = [...consensus].map((code) => [code, statusOf(code)]);
    const least = leastShare() - 1e-9;
    for (const [code, part] of shares) {
      const back = share(turned(code));
      const stronger = part > back || (part === back && sourceOf(code) < targetOf(code));
      if (stronger && part + back >= least && !consensus.has(code) && !consensus.has(turned(code))) {
        arcs.push([code, "dropped"]);
      }
    }
    return [arcs, {
      kept: "kept",
      reversed: "kept, reversed in more inputs",
      added: "in no input",
      dropped: "dropped",
    }];
  }
  if (key === "difference") {
    const [one, other] = [$("one").value, $("other").value];
    return [difference(networkOf(one), networkOf(other)), {
      kept: "in both",
      dropped: `only in ${inWords(one)}`,
      added: `only in ${inWords(other)}`,
      reversed: `other way round in ${inWords(other)}`,
    }];
  }
  if (key === "fusion") {
    return [[...fusion].map((code) => [code, seen(code)]), {
      kept: "in the consensus",
      dropped: "dropped",
      added: "added by fusion: no input has it",
      reversed: "other way round in the consensus",
    }];
  }
  return [difference(networkOf(key), consensus), {
    kept: "in the consensus too",
    dropped: "not in the consensus",
    added: "in the consensus only",
    reversed: "other way round in the consensus",
  }];
}

function seen(code) {
  if (consensus.has(code)) return "kept";
  if (consensus.has(turned(code))) return "reversed";
  return share(code) + share(turned(code)) > 0 ? "dropped" : "added";
}

function difference(one, other) {
  const arcs = [...one].map((
    code,
  ) => [code, other.has(code) ? "kept" : other.has(turned(code)) ? "reversed" : "dropped"]);
  other.forEach((code) => {
    if (!one.has(code) && !one.has(turned(code))) arcs.push([code, "added"]);
  });
  return arcs;
}
