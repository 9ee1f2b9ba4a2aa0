// The counterpart of other_limits.py: a value after a change.

export function changed(value, change) {
  if (Array.isArray(change)) return change[0];
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const [part, one] of Object.entries(change)) {
    if (one) copy[part] = changed(copy[part], one);
    else delete copy[part];
  }
  return copy;
}
