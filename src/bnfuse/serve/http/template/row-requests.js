// Requests the rows of tables while somebody looks at them; text that is being written stays, even if the page is
// renewed.
import { bridge } from "./bridge.js";
import { get } from "./server.js";
import { onWork, work } from "./work.js";

const rows = (bridge.rows = { variable: "", found: null, isSeen: false, problem: "", drafts: new Map(), me: "", mayChange: false, mayLead: false });
const tell = () => bridge.answer?.tellRows();
let asked = ""; // the answer and the variable of the request
let isAsking = false;

export function startRows() {
  bridge.askRows = ask;
  onWork(() => {
    const { role, you } = work;
    Object.assign(rows, { me: you?.name ?? "", mayLead: role === "facilitator", mayChange: role === "facilitator" || (role === "participant" && Boolean(you)) });
    ask();
  });
}

// Once for each answer and variable, and only for people who see them.
async function ask() {
  const wanted = work.answer ? `${work.key} ${work.answer.effort} ${work.question.input_cases} ${rows.variable}` : "";
  if (!rows.isSeen || !wanted || wanted === asked || isAsking) return;
  isAsking = true;
  asked = wanted;
  try {
    rows.found = await get(`/rows?revision=${work.revision}${rows.variable ? `&variable=${encodeURIComponent(rows.variable)}` : ""}`);
    rows.problem = "";
  } catch (error) {
    rows.problem = error.message;
    if (rows.variable && error.status === 422) rows.variable = ""; // it is gone
  }
  isAsking = false;
  tell();
  ask(); // by now, something else may be wanted
}
