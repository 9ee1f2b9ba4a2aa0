// A response as a file of the reader, under the name that the server gives it.
import { element } from "./elements.js";

const nameIn = (header) => {
  const [, coded] = /filename\*=UTF-8''([^;]+)/.exec(header) || [];
  return coded ? decodeURIComponent(coded) : (/filename="([^"]*)"/.exec(header) || [])[1];
};

export async function saveResponse(response) {
  const name = nameIn(response.headers.get("Content-Disposition") ?? "");
  const address = URL.createObjectURL(await response.blob());
  element("a", { href: address, download: name || "consensus" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
