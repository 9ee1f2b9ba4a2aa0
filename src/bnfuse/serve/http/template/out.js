// The downloads: the network in every format, the report, and the commands that reproduce it.
import { $, element } from "./elements.js";
import { saveResponse } from "./saved-response.js";
import { base, fetched } from "./server.js";
import { onWork } from "./work.js";
import { tellRight, tellWrong } from "./wrong.js";

const GROUPS = [
  ["The network", [["bif", "BIF"], ["xmlbif", "XMLBIF"], ["xdsl", "XDSL"], ["net", "NET"], ["uai", "UAI"], ["csv", "CSV"]]],
  ["Report and minutes", [["report", "Report"], ["schools", "Schools of thought"], ["saved", "Saved result"], ["minutes", "Minutes"]]],
  ["To reproduce it", [["command", "Command"], ["python", "Python"]]],
  ["To continue elsewhere", [["bundle", "Bundle"]]],
];

const ALWAYS = ["minutes", "bundle"]; // before the first answer too

export function startOut() {
  const links = [];
  for (const [title, files] of GROUPS) {
    const own = files.map(([kind, text]) => [element("a", { download: "" }, text), kind]);
    links.push(...own);
    const row = element("li", {}, element("span", { class: "note" }, title), ...own.map(([link]) => link));
    row.addEventListener("click", (event) => event.target.href && take(event, row));
    $("out").append(row);
  }
  onWork(({ answer, role }) => {
    for (const [link, kind] of links) {
      if ((answer || ALWAYS.includes(kind)) && (kind !== "bundle" || role === "facilitator")) link.href = kind === "bundle" ? `${base}/bundle` : `${base}/out/${kind}`;
      else link.removeAttribute("href");
    }
  });
}

// Fetched first, so that an error can be shown here.
async function take(event, row) {
  event.preventDefault();
  try {
    await saveResponse(await fetched(event.target.href));
    tellRight(row);
  } catch (error) {
    tellWrong(row, error.message);
  }
}
