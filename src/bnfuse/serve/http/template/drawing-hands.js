// Mouse, fingers and keys over a drawing. A box that is dragged onto another draws an arc to it; elsewhere, it moves there.
const STEADY = 6; // pixels that a pointer may move during a click
const TWICE = 350; // milliseconds
const AROUND = [[0, 0], [0, -10], [0, 10], [-10, 0], [10, 0]]; // a finger is wider than an arrow
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEP = 20;

const boxAt = (node) => node?.closest?.("[data-name]")?.dataset.name;
const arcAt = (node) => node?.closest?.("[data-arc]")?.dataset.arc;

// act: the possible actions: choose, draw(source, target), move(name, [x, y]), add([x, y]), remove, rename, begin (an
// arc), cancel.
export function startHands(svg, picture, act) {
  const fingers = new Map();
  let drag = null;
  let last = { time: 0, x: 0, y: 0 };

  const under = ({ clientX: x, clientY: y }) => {
    const found = AROUND.map(([dx, dy]) => document.elementFromPoint(x + dx, y + dy)).filter((node) => svg.contains(node));
    return { box: boxAt(found.find(boxAt)), arc: arcAt(found.find(arcAt)) };
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event);
    svg.setPointerCapture(event.pointerId);
    if (fingers.size > 1) {
      if (drag?.name) picture.drag(drag.name, drag.home);
      drag = null;
      return;
    }
    const { box } = under(event);
    drag = { name: box, x: event.clientX, y: event.clientY, at: picture.pointOf(event), isMoved: false };
    drag.home = drag.name && act.placeOf(drag.name);
  });

  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2) pinch(event, before);
    fingers.set(event.pointerId, event);
    if (!drag) return;
    if (!drag.isMoved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STEADY) return;
    if (!drag.name) picture.shift(before.clientX - event.clientX, before.clientY - event.clientY);
    else {
      const target = targetOf(event);
      const [x, y] = picture.pointOf(event);
      picture.drag(drag.name, [drag.home[0] + x - drag.at[0], drag.home[1] + y - drag.at[1]], target);
    }
    drag.isMoved = true;
  });

  // The box under the pointer, except the one that is dragged.
  const targetOf = ({ clientX, clientY }) => {
    const all = document.elementsFromPoint(clientX, clientY).map(boxAt).filter((name) => name && name !== drag.name);
    return all[0];
  };

  function pinch(event, before) {
    const [other] = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const { left, top } = svg.getBoundingClientRect();
    picture.zoom(apart(event) / apart(before), (event.clientX + other.clientX) / 2 - left, (event.clientY + other.clientY) / 2 - top);
    picture.shift((before.clientX - event.clientX) / 2, (before.clientY - event.clientY) / 2);
  }

  svg.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    const own = drag;
    if (!own) return;
    const target = own.name && own.isMoved ? targetOf(event) : null;
    drag = null;
    if (own.isMoved && own.name) {
      const [x, y] = picture.pointOf(event);
      if (target) act.draw(own.name, target);
      else act.move(own.name, [own.home[0] + x - own.at[0], own.home[1] + y - own.at[1]]);
    } else if (!own.isMoved) click(event);
  });
  svg.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    drag = null;
    act.again();
  });

  function click(event) {
    const { box, arc } = under(event);
    const isTwice = event.timeStamp - last.time < TWICE && Math.hypot(event.clientX - last.x, event.clientY - last.y) < STEADY;
    last = { time: isTwice ? 0 : event.timeStamp, x: event.clientX, y: event.clientY };
    if (!box && !arc && isTwice) act.add(picture.pointOf(event));
    else act.choose(box ? { variable: box } : arc ? { arc: JSON.parse(arc) } : null);
  }

  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { left, top } = svg.getBoundingClientRect();
    picture.zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
  }, { passive: false });

  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = boxAt(event.target);
    const { key } = event;
    if (key === "Escape") act.cancel();
    else if (key === "+" || key === "=") picture.zoom(1.25, svg.clientWidth / 2, svg.clientHeight / 2);
    else if (key === "-") picture.zoom(0.8, svg.clientWidth / 2, svg.clientHeight / 2);
    else if (key === "0") picture.fit();
    else if (name && key in MOVES && event.shiftKey) {
      const [x, y] = act.placeOf(name);
      act.move(name, [x + STEP * MOVES[key][0], y + STEP * MOVES[key][1]], true);
    } else if (name && key in MOVES) act.roam(name, MOVES[key]);
    else if (key in MOVES) picture.shift(3 * STEP * MOVES[key][0], 3 * STEP * MOVES[key][1]);
    else if (name && (key === "Enter" || key === " ")) act.choose({ variable: name }, true);
    else if (name && (key === "a" || key === "A")) act.begin(name);
    else if (name && key === "F2") act.rename(name);
    else if (key === "Delete" || key === "Backspace") act.remove(name ? { variable: name } : null);
    else return;
    event.preventDefault();
  });
}
