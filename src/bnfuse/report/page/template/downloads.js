// The downloads of the page: the network, its picture, the table of its arcs, a link to the present view.
import { arcsAsCsv } from "./arc-table.js";
import { bifText, canWrite } from "./bif-text.js";
import { $, element, note } from "./elements.js";
import { linkHere } from "./fragment.js";
import { pngFile, svgFile } from "./picture-file.js";
import { remembered } from "./restart.js";
import { toClipboard } from "./sortable-table.js";

const opened = remembered("downloads", { isOpen: false }); // an open menu stays open when the page is renewed

export function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const CHOICES = [
  ["Network (BIF)", () => save("consensus.bif", "text/plain", bifText()), canWrite],
  ["Picture (SVG)", () => save("network.svg", "image/svg+xml", svgFile().text)],
  ["Picture (PNG)", async () => save("network.png", "image/png", await pngFile())],
  ["Arcs (CSV)", () => save("arcs.csv", "text/csv", arcsAsCsv())],
  ["Copy a link to this view", () => toClipboard(linkHere())],
];

export function startDownloads() {
  const buttons = CHOICES.filter(([, , can]) => !can || can()).map(([text, run]) =>
    element("button", {
      type: "button",
      onclick: () => {
        menu.hidePopover();
        run();
      },
    }, text)
  );
  const menu = element("div", { id: "downloads", popover: "auto", role: "group", "aria-label": "Save or send" }, ...buttons);
  if (!canWrite()) menu.append(note("The tables of this network are too large for the page: its file has them."));
  $("save").after(menu);
  const place = () => {
    const [at, size] = [$("save").getBoundingClientRect(), menu.getBoundingClientRect()];
    menu.style.left = `${Math.max(8, at.right - size.width)}px`;
    menu.style.top = `${at.bottom + 6}px`;
  };
  menu.addEventListener("beforetoggle", ({ newState }) => (opened.isOpen = newState === "open"));
  menu.addEventListener("toggle", place);
  if (!opened.isOpen) return;
  menu.showPopover();
  place();
}
