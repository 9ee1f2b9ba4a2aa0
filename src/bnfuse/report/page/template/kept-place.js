// The reader's position: the focus, the text being typed, the scroll positions. It is restored after the page was
// renewed.

const labelOf = (one) => one.getAttribute("aria-label") ?? one.textContent;
const idAbove = (one) => one.closest("[id]")?.id;

// How to find the same element again, even if it is a new one then.
function wayTo(one) {
  if (one.id) return () => document.getElementById(one.id);
  for (const name of ["data-key", "data-a", "data-v", "data-i"]) {
    const value = one.getAttribute(name);
    const above = idAbove(one);
    if (value !== null) return () => document.querySelector(`#${above} [${name}="${CSS.escape(value)}"]`);
  }
  const [tag, label, above] = [one.localName, labelOf(one), idAbove(one)];
  return () => [...document.querySelectorAll(`#${above} ${tag}`)].find((other) => labelOf(other) === label);
}

function focusToPutBack() {
  const one = document.activeElement;
  if (!one || !one.closest("main")) return () => {};
  const find = wayTo(one);
  const isText = one.localName === "textarea" || (one.localName === "input" && /^(text|search)$/.test(one.type));
  const typed = isText && { value: one.value, start: one.selectionStart, end: one.selectionEnd, on: one.dataset.on };
  if (typed) one.dataset.moves = "true"; // a browser treats a removed field like one that lost the focus
  return () => {
    delete one.dataset.moves;
    const next = find() || document.getElementById("net");
    next.focus({ preventScroll: true });
    if (!typed || next.localName !== one.localName) return;
    if (next.value !== typed.value) next.addEventListener("blur", () => next.dispatchEvent(new Event("change")), { once: true });
    next.value = typed.value;
    if (typed.on !== undefined) next.dataset.on = typed.on; // the revision on which it was begun
    next.setSelectionRange(typed.start, typed.end);
  };
}

function scrollsToPutBack() {
  const isLaidOut = (one) => one.checkVisibility({ contentVisibilityAuto: true }); // testing others would lay them out
  const moved = [...document.querySelectorAll("#details, #bars, main .scroll")]
    .filter((one) => isLaidOut(one) && (one.scrollTop || one.scrollLeft));
  const all = moved.map((one) => [wayTo(one), one.scrollTop, one.scrollLeft]);
  return () => {
    for (const [find, top, left] of all) find()?.scrollTo({ top, left, behavior: "instant" });
  };
}

export function keepPlace() {
  const [focus, scrolls] = [focusToPutBack(), scrollsToPutBack()];
  return () => {
    focus();
    scrolls();
  };
}
