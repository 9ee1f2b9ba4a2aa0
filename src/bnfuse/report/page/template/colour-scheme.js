// Light and dark.
import { $ } from "./elements.js";
import { signal } from "./restart.js";

export function startColours() {
  const root = document.documentElement;
  const button = $("theme");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const say = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", isDark());
    button.setAttribute("aria-label", `Change to ${isDark() ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    say();
  }, { signal });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say, { signal });
  say();
}
