// The packed parts of the page, in separate elements: scripts and style sheets.
import { $ } from "./elements.js";
import { unpackedBytes } from "./lzma.js";

export const unpacked = (id) => new TextDecoder().decode(unpackedBytes($(id).textContent));
