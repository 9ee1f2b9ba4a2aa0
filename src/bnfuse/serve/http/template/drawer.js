// On a narrow screen, the panel is a drawer.
import { $ } from "./elements.js";

export function startDrawer() {
  const [button, panel] = [$("work-button"), $("work")];
  const open = (isOpen) => {
    document.body.classList.toggle("drawn", isOpen);
    button.setAttribute("aria-expanded", isOpen);
  };
  button.addEventListener("click", () => {
    const isOpen = !document.body.classList.contains("drawn");
    open(isOpen);
    if (isOpen) panel.querySelector("summary").focus();
  });
  panel.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape" || target.matches("input[type=text]") || !document.body.classList.contains("drawn")) return;
    open(false);
    button.focus();
  });
  addEventListener("pointerdown", ({ target }) => {
    if (!document.body.classList.contains("drawn") || target.closest("#work, #work-button")) return;
    open(false);
  });
  return { close: () => open(false) };
}
