// The scripts and style sheets are packed, and the data deflated. They may be used, as the page's policy has their
// hashes.
import { $ } from "./elements.js";
import { inflated } from "./inflate.js";
import { unpacked } from "./packed-texts.js";

const made = (tag, id) => Object.assign(document.createElement(tag), { textContent: unpacked(id) });

$("data").textContent = new TextDecoder().decode(inflated(atob($("data").textContent)));
document.querySelector("style").after(made("style", "packed-style")); // later rules win: those of the last one stay last
const script = made("script", "packed");
document.body.append(script);
script.remove();
