// Who is here: a name is enough to join, and everything that somebody does has it.
import { $, element, fill } from "./elements.js";
import { me, remember, send } from "./server.js";
import { onWork } from "./work.js";
import { tellWrong } from "./wrong.js";

export function startPeople() {
  const label = element("input", { type: "text", id: "my-name", maxlength: 60, "aria-label": "Your name", placeholder: "Your name", autocomplete: "off", spellcheck: "false" });
  const form = element("div", { class: "add" }, label, element("button", { type: "button", id: "join", onclick: join }, "Join"));
  const asking = element("div", { id: "joining", hidden: true }, element("p", { class: "note" }, "Say who you are: your name stands beside everything you decide."), form);
  const here = element("p", { id: "present", class: "note", hidden: true });
  $("people").append(asking, here);
  label.addEventListener("keydown", ({ key }) => key === "Enter" && join());

  async function join() {
    try {
      remember(await send("POST", "/people", { name: label.value }));
      location.reload(); // all that was asked before was nobody's
    } catch (error) {
      tellWrong(form, error.message);
    }
  }

  onWork(({ role, you, present }) => {
    if (me && you === null && role) remember(null); // of a workspace that is no more
    document.body.dataset.role = role;
    asking.hidden = Boolean(you) || role === "read-only";
    here.hidden = !present.length && !you;
    const others = present.filter((name) => name !== you?.name);
    fill(here, [you ? `You are ${you.name}.` : "", others.length ? `Here now: ${others.join(", ")}.` : ""].filter(Boolean).join(" "));
  });
}
