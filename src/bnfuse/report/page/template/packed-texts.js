// What the page has packed in elements of its own: scripts and style sheets.
import { $ } from "./elements.js";
import { unpackedBytes } from "./lzma.js";

export const unpacked = (id) => new TextDecoder().decode(unpackedBytes($(id).textContent));
