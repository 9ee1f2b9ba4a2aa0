// Files of inputs that were removed: undo restores them, until they are deleted permanently.
import { $, element, fill } from "./elements.js";
import { base, fetched, get } from "./server.js";
import { onWork } from "./work.js";
import { tellRight, tellWrong } from "./wrong.js";

export function startRemovedFiles() {
  const list = element("ul");
  $("removed-part").append(list);
  $("removed-part").addEventListener("toggle", draw);
  onWork(draw);

  async function draw() {
    if (!$("removed-part").open) return;
    try {
      const files = (await get("/files")).filter((one) => !one.in_use);
      list.replaceChildren(...(files.length ? files.map(row) : [element("li", { class: "note" }, "None.")]));
      tellRight(list);
    } catch (error) {
      tellWrong(list, error.message);
    }
  }

  // Confirmed in the page: this cannot be undone.
  async function remove({ target: button }, file) {
    if (button.dataset.sure !== "true") {
      button.dataset.sure = "true";
      fill(button, "Permanently?");
      return;
    }
    try {
      await fetched(`${base}/files/${file.id}?for=good`, { method: "DELETE" });
      await draw();
    } catch (error) {
      tellWrong(list, error.message);
    }
  }

  const row = (file) =>
    element(
      "li",
      {},
      element("span", { class: "who" }, file.name),
      element("button", { type: "button", class: "plain", "aria-label": `Delete ${file.name} permanently`, onclick: (event) => remove(event, file) }, "Delete"),
    );
}
