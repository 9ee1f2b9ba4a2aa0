// Light and dark, until the report's own script takes that over.
import { $ } from "./elements.js";

export function startEarlyColours() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const tell = () => ($("theme").textContent = isDark() ? "Light" : "Dark");
  const toggle = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    tell();
  };
  $("theme").addEventListener("click", toggle);
  tell();
  return () => $("theme").removeEventListener("click", toggle);
}
