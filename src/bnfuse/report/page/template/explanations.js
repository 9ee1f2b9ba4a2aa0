// The most probable states of all variables together, the best first: with maxima instead of sums in the same tree
// (Dawid 1992), and the next ones by splitting the rest, clique by clique (Lawler 1972; Nilsson 1998).

const SAME = 1e-9; // logarithms closer than that differ by rounding alone

export function multiply(table, message, at) {
  for (let cell = 0; cell < table.length; cell++) table[cell] += message[at[cell]];
}

// tables: logarithms, which become the best that each cell and all below it can reach. A list of {states, log}, states by
// the number of the variable; log, of the product of their table entries.
export function bestOf({ links, cliques, sizes }, tables, most) {
  let best = 0;
  for (const { variable, next, at } of links) {
    const message = largestOfRows(tables.get(variable), sizes[variable]);
    if (next === null) best += message[0];
    else multiply(tables.get(next), message, at);
  }
  const down = links.map(({ variable }) => variable).reverse();
  // A clique's states that fit those of its separator, the best first, and what they can reach.
  const line = (variable, states) => {
    const row = cliques.get(variable).slice(0, -1).reduce((place, one) => place * sizes[one] + states[one], 0);
    const values = tables.get(variable).subarray(row * sizes[variable], (row + 1) * sizes[variable]);
    return [...values.entries()].sort(([, one], [, other]) => other - one);
  };
  const waiting = [{ states: [], log: best, place: 0, rank: 0 }];
  const found = [];
  while (found.length < most && waiting.length && waiting[0].log > -Infinity) {
    const { states: shared, log, place, rank } = waiting.shift();
    const states = shared.slice();
    for (let at = place; at < down.length; at++) {
      const own = line(down[at], states);
      const turn = at === place ? rank : 0;
      states[down[at]] = own[turn][0];
      if (turn + 1 === own.length || own[turn + 1][1] === -Infinity) continue;
      waiting.push({ states, log: log - own[turn][1] + own[turn + 1][1], place: at, rank: turn + 1 });
    }
    waiting.sort((one, other) => other.log - one.log);
    found.push({ states, log });
  }
  return found.sort((one, other) => (Math.abs(one.log - other.log) > SAME ? other.log - one.log : inOrder(one.states, other.states)));
}

function inOrder(one, other) {
  const first = one.findIndex((state, variable) => state !== other[variable]);
  return first < 0 ? 0 : one[first] - other[first];
}

function largestOfRows(table, size) {
  const largest = new Float64Array(table.length / size).fill(-Infinity);
  for (let cell = 0; cell < table.length; cell++) {
    const row = Math.floor(cell / size);
    if (table[cell] > largest[row]) largest[row] = table[cell];
  }
  return largest;
}
