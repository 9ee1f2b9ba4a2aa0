// Light and dark, and the start of everything.

function startTheme() {
  const root = document.documentElement;
  const button = $("theme");
  const isDark =
    () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const say = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", isDark());
    button.setAttribute("aria-label", `Change to ${isDark() ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    say();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say);
  say();
}

startTheme();
tellFirst();
fillChoices();
nodes.forEach((node, i) => {
  node.setAttribute("tabindex", i ? -1 : 0);
  node.setAttribute("role", "button");
  node.setAttribute("aria-label", variables[i]);
});
drawBars();
fit();
changeView();
listenToPicture();
$("view").addEventListener("change", changeView);
for (const id of ["one", "other", "least"]) $(id).addEventListener("input", changeView);
$("closer").addEventListener("click", () => zoom(1.3));
$("farther").addEventListener("click", () => zoom(1 / 1.3));
$("whole").addEventListener("click", fit);
$("search").addEventListener("input", (event) => find(event.target.value, false));
$("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter") find(event.target.value, true);
});
$("all-bars").addEventListener("click", () => {
  isBarsWhole = !isBarsWhole;
  drawBars();
});
new ResizeObserver(() => (isMoved ? place() : fit())).observe(net);
drawBetween();
tellApart();
$("charts").prepend(...[drawFrontier(), drawConvergence()].filter(Boolean));
tellComparison();
tellArcs();
tellCliques();
tellParameters();
tellOrigin();
