// The data, the script and the style sheets of what it makes are packed. They may be used, as the page's policy has their hashes.
import { $ } from "./elements.js";
import { inflated } from "./inflate.js";

const unpacked = (id) => new TextDecoder().decode(inflated(atob($(id).textContent)));
const made = (tag, id) => Object.assign(document.createElement(tag), { textContent: unpacked(id) });

$("data").textContent = unpacked("data");
document.querySelector("style").after(made("style", "packed-style")); // later rules win: those of the last one stay last
const script = made("script", "packed");
document.body.append(script);
script.remove();
