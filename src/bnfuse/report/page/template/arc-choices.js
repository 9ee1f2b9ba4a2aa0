// Rules for arcs, chosen one after another: { required, forbidden, tiers }, all by names.

const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];
export const turnedRound = ([source, target]) => [target, source];

// The rules on arcs after another decision. kind: "required", "forbidden", "apart" (in both directions) or "free".
export function decided({ required, forbidden }, kind, arc) {
  const back = turnedRound(arc);
  const others = (list) => list.filter((one) => !isSame(one, arc) && !isSame(one, back));
  const now = { required: others(required), forbidden: others(forbidden) };
  if (kind === "required") now.required.push(arc);
  if (kind === "forbidden") now.forbidden.push(arc);
  if (kind === "apart") now.forbidden.push(arc, back);
  return now;
}

export const without = (list, arc) => list.filter((one) => !isSame(one, arc));

// Those about some of the variables only.
export function rulesAmong(names, { required, forbidden, tiers }) {
  const known = new Set(names);
  const areThere = (list) => list.filter((ends) => ends.every((name) => known.has(name)));
  return {
    required: areThere(required),
    forbidden: areThere(forbidden),
    tiers: tiers.map((tier) => tier.filter((name) => known.has(name))).filter((tier) => tier.length),
  };
}

// From a text with a line for each tier, and commas between the variables.
export function tiersFrom(text, names) {
  const known = new Set(names);
  const tiers = text.split("\n").map((line) => line.split(",").map((name) => name.trim()).filter(Boolean)).filter((tier) => tier.length);
  const unknown = tiers.flat().find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`tiers: there is no variable ${unknown}`);
  return tiers;
}

export const tiersText = (tiers) => tiers.map((tier) => tier.join(", ")).join("\n");
