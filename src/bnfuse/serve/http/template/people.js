// The people present: a name is enough to join, and is attached to everything that its owner does.
import { $, element, fill } from "./elements.js";
import { get, me, remember, send } from "./server.js";
import { onWork } from "./work.js";
import { tellRight, tellWrong } from "./wrong.js";

const LINKS = [["participant", "Participants"], ["wall", "The wall"], ["facilitator", "Facilitators"]];

export function startPeople() {
  const label = element("input", { type: "text", id: "my-name", maxlength: 60, "aria-label": "Your name", placeholder: "Your name", autocomplete: "off", spellcheck: "false" });
  const form = element("div", { class: "add" }, label, element("button", { type: "button", id: "join", onclick: join }, "Join"));
  const asking = element("div", { id: "joining", hidden: true }, element("p", { class: "note" }, "Enter your name: it is shown with everything you decide."), form);
  const here = element("p", { id: "present", class: "note", hidden: true });
  const list = element("dl", { class: "links" });
  const links = element("details", { id: "links", hidden: true }, element("summary", { class: "note" }, "Invite"), element("p", { class: "note" }, "Each link opens this workspace. A participant can change it under a name; the wall only shows it; a facilitator can do everything."), list);
  $("people").append(asking, here, links);
  links.addEventListener("toggle", () => links.open && showLinks());
  label.addEventListener("keydown", ({ key }) => key === "Enter" && join());

  async function join() {
    try {
      remember(await send("POST", "/people", { name: label.value }));
      location.reload(); // all earlier requests had no person
    } catch (error) {
      tellWrong(form, error.message);
    }
  }

  // Fetched on request: they contain secrets.
  async function showLinks() {
    try {
      const found = await get("/links");
      list.replaceChildren(...LINKS.flatMap(([role, words]) => [element("dt", {}, words), element("dd", {}, ...row(words, found[role][0]))]));
      tellRight(list);
    } catch (error) {
      tellWrong(list, error.message);
    }
  }

  function row(words, link) {
    const field = element("input", { type: "text", readonly: true, "aria-label": `Link: ${words}` });
    field.value = link;
    const button = element("button", { type: "button", "aria-label": `Copy the link: ${words}` }, "Copy");
    button.addEventListener("click", async () => {
      field.select();
      // Only pages from this machine or with TLS may write to the clipboard; elsewhere the link is selected, to be copied by hand.
      await navigator.clipboard?.writeText(link).then(() => fill(button, "Copied"), () => null);
    });
    return [field, button];
  }

  let isAsked = false;
  onWork(({ role, you, present }) => {
    if (me && you === null && role) remember(null); // of a workspace that no longer exists
    document.body.dataset.role = role;
    links.hidden = role !== "facilitator";
    asking.hidden = Boolean(you) || role === "read-only";
    here.hidden = !present.length && !you;
    if (!isAsked && role === "participant" && !you && $("work-button").offsetParent) {
      document.body.classList.contains("drawn") || $("work-button").click(); // on a phone the panel is a drawer
      label.focus();
    }
    isAsked ||= Boolean(role);
    const others = present.filter((name) => name !== you?.name);
    fill(here, [you ? `You are ${you.name}.` : "", others.length ? `Here now: ${others.join(", ")}.` : ""].filter(Boolean).join(" "));
  });
}
