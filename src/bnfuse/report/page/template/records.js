// The counterpart of records.py: many records of one kind are a table, { fields, rows }, with the names of the fields
// once.

export function withNames(value) {
  if (value === null || typeof value !== "object") return value;
  const { fields, rows } = value;
  return fields && rows ? each(rows, (row) => row && record(fields, row)) : each(value, withNames);
}

const each = (many, make) =>
  Array.isArray(many) ? many.map(make) : Object.fromEntries(Object.entries(many).map(([key, one]) => [key, make(one)]));

const record = (fields, row) => Object.fromEntries(fields.map((field, i) => [field, withNames(row[i])]));
