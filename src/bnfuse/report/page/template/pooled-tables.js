// Tables for a network from those of the inputs: those of the closest network to the mixture of the inputs, by weight,
// as bnfuse pools them. They are computed from the joint distribution of all variables, so only if that is small.

const MOST_CELLS = 2 ** 15;

// inputs: { sizes, scopes, tables } of each (page-tables.js), all over the same variables and states; weights: whole numbers.
// parents: of each variable, in order. Null where the joint distribution is too large; otherwise the numbers of each table, the
// variable's own states varying fastest.
export function pooledTables(inputs, weights, sizes, parents) {
  const cells = sizes.reduce((product, size) => product * size, 1);
  if (cells > MOST_CELLS) return null;
  const sums = parents.map((own, variable) => new Float64Array([...own, variable].reduce((product, one) => product * sizes[one], 1)));
  const scopes = parents.map((own, variable) => [...own, variable]);
  const states = sizes.map(() => 0);
  const total = weights.reduce((sum, one) => sum + one, 0);
  for (let cell = 0; cell < cells; cell++) {
    let mixed = 0;
    inputs.forEach(({ scopes: own, tables }, i) => {
      if (!weights[i]) return;
      let chance = weights[i] / total;
      for (let at = 0; at < own.length && chance; at++) chance *= tables[at][placeOf(own[at], states, sizes)];
      mixed += chance;
    });
    if (mixed) scopes.forEach((scope, variable) => (sums[variable][placeOf(scope, states, sizes)] += mixed));
    for (let v = sizes.length - 1; v >= 0 && ++states[v] === sizes[v]; v--) states[v] = 0;
  }
  return sums.map((table, variable) => conditional(table, sizes[variable]));
}

function placeOf(scope, states, sizes) {
  let place = 0;
  for (const variable of scope) place = place * sizes[variable] + states[variable];
  return place;
}

// Given the parents; if these never have such states, all are equally likely.
function conditional(table, size) {
  for (let row = 0; row < table.length; row += size) {
    const sum = table.subarray(row, row + size).reduce((all, one) => all + one, 0);
    for (let i = row; i < row + size; i++) table[i] = sum ? table[i] / sum : 1 / size;
  }
  return [...table];
}
