// What can be taken away: the network in every format, the report, and how to make it again.
import { $, element } from "./elements.js";
import { base } from "./server.js";
import { onWork } from "./work.js";

const GROUPS = [
  ["The network", [["bif", "BIF"], ["xmlbif", "XMLBIF"], ["xdsl", "XDSL"], ["net", "NET"], ["uai", "UAI"], ["csv", "CSV"]]],
  ["To read and to keep", [["report", "Report"], ["saved", "Saved result"], ["protocol", "Protocol"]]],
  ["To make it again", [["command", "Command"], ["python", "Python"]]],
];

export function startOut() {
  const links = [];
  for (const [title, files] of GROUPS) {
    const own = files.map(([kind, text]) => [element("a", { download: "" }, text), kind]);
    links.push(...own);
    $("out").append(element("li", {}, element("span", { class: "note" }, title), ...own.map(([link]) => link)));
  }
  onWork(({ answer }) => {
    for (const [link, kind] of links) {
      // The protocol is there before the first answer.
      if (answer || kind === "protocol") link.href = `${base}/out/${kind}`;
      else link.removeAttribute("href");
    }
  });
}
