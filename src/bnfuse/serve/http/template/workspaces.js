// The other workspaces of the folder.
import { $, element, fill } from "./elements.js";
import { isolated } from "./isolates.js";
import { pageOf } from "./key.js";
import { fetched, name } from "./server.js";
import { tellRight, tellWrong } from "./wrong.js";

const ALL = "/api/workspaces";

export function startWorkspaces() {
  fill($("workspace"), name);
  document.title = `${isolated(name)} \u2013 bnfuse`;
  const list = element("ul");
  const label = element("input", { type: "text", maxlength: 64, "aria-label": "Name of a new workspace", placeholder: "Name", spellcheck: "false" });
  const form = element("div", { class: "add" }, label, element("button", { type: "button", onclick: make }, "New"));
  const all = element("p", {}, element("a", { href: "/" }, "Open a bundle, or delete a workspace"));
  $("workspaces").append(list, form, all);
  label.addEventListener("keydown", ({ key }) => key === "Enter" && make());

  async function make() {
    const wanted = label.value.trim();
    try {
      const response = await fetched(ALL, {
        method: "POST",
        body: JSON.stringify(wanted ? { name: wanted } : {}),
        headers: { "Content-Type": "application/json" },
      });
      location.href = pageOf((await response.json()).name);
    } catch (error) {
      tellWrong(form, error.message);
    }
  }

  $("workspaces-part").addEventListener("toggle", async () => {
    if (!$("workspaces-part").open) return;
    try {
      const all = await (await fetched(ALL)).json();
      tellRight(list);
      list.replaceChildren(...all.map((one) =>
        element("li", {}, one.name === name ? element("strong", {}, one.name) : element("a", { href: pageOf(one.name) }, one.name))
      ));
    } catch (error) {
      tellWrong(list, error.message);
    }
  });
}
