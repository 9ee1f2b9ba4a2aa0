// Lists that are renewed keep the focus and the caret in place.

// The focus goes to the element with the same `data-key` or, if there is none, to its replacement.
export function renew(place, ...nodes) {
  const keyed = [...place.querySelectorAll("[data-key]")];
  const at = keyed.indexOf(document.activeElement);
  const key = at < 0 ? null : keyed[at].dataset.key;
  const caret = keyed[at]?.type === "text" ? [keyed[at].selectionStart, keyed[at].selectionEnd] : null;
  place.replaceChildren(...nodes.filter(Boolean));
  if (key === null) return;
  const now = [...place.querySelectorAll("[data-key]")];
  const next = now.find((one) => one.dataset.key === key) || now[Math.min(at, now.length - 1)];
  (next || place.closest("details")?.querySelector("summary"))?.focus({ preventScroll: true });
  if (caret && next?.dataset.key === key) next.setSelectionRange(...caret);
}
