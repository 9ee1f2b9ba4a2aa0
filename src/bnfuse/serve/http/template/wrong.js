// An error, in one line next to its cause, until the next attempt.
import { $, element } from "./elements.js";

export function tellWrong(near, text) {
  tellRight(near);
  (near.isConnected ? near : $("changes")).after(element("p", { class: "wrong", role: "alert" }, text));
}

export function tellRight(near) {
  if (near.nextElementSibling?.classList.contains("wrong")) near.nextElementSibling.remove();
}
