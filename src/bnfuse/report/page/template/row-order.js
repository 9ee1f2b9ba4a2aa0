// The wanted rows of a table, and their order: the value of a column for each row is computed once, and texts are
// compared once, so that tens of thousands of rows take a moment. A row is identified by its position among all.
const collator = new Intl.Collator("en", { numeric: true });

// columns: {of(row): text or number}
export function rowOrder(rows, columns) {
  const said = columns.map(() => null);
  const keys = columns.map(() => null);
  let texts = null;
  const values = (i) => (said[i] ??= rows.map((row) => columns[i].of(row)));
  const searched = () =>
    (texts ??= rows.map((_, place) => columns.map((_, i) => values(i)[place]).join("\n").toLowerCase()));

  function matching(wanted, isWanted) {
    const found = [];
    const among = wanted && searched();
    for (let place = 0; place < rows.length; place++) {
      if (isWanted(rows[place]) && (!wanted || among[place].includes(wanted))) found.push(place);
    }
    return Uint32Array.from(found);
  }

  // Rows that are equal stay in their order, both ways.
  function sorted(places, by, direction) {
    const key = (keys[by] ??= numbersFor(values(by)));
    return places.sort((one, other) => direction * (key[one] - key[other]));
  }
  return { matching, sorted };
}

// Numbers in the order of the values.
function numbersFor(values) {
  if (typeof values[0] !== "string") return Float64Array.from(values);
  const ranks = new Map([...new Set(values)].sort(collator.compare).map((text, rank) => [text, rank]));
  return Float64Array.from(values, (text) => ranks.get(text));
}
