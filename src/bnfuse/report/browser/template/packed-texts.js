// What the page has deflated in elements of its own: scripts and style sheets.
import { $ } from "./elements.js";
import { inflated } from "./inflate.js";

export const unpacked = (id) => new TextDecoder().decode(inflated(atob($(id).textContent)));

// By the browser itself, which does not keep the page waiting.
export async function unpackedBytes(id) {
  const packed = Uint8Array.from(atob($(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
