// The script of the page is packed. It may run, as the page's policy has its hash.
import { $ } from "./elements.js";
import { inflated } from "./inflate.js";

const script = document.createElement("script");
script.textContent = new TextDecoder().decode(inflated(atob($("packed").textContent)));
document.body.append(script);
script.remove();
