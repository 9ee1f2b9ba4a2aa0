// Requests the schools among the inputs; the result stays even if the page is renewed, and may become out of date.
import { bridge } from "./bridge.js";
import { get } from "./server.js";
import { onWork, work } from "./work.js";

const schools = (bridge.schools = { number: "", found: null, isAsked: false, isOld: false, problem: "" });
const tell = () => bridge.answer?.tellSchools();

export function startSchools() {
  onWork(judgeAge);
  bridge.askSchools = ask;
}

// Undone changes restore the question, and with it the results for it.
function judgeAge() {
  schools.isOld = schools.found !== null && schools.found.key !== work.key;
  tell();
}

async function ask() {
  if (schools.isAsked) return;
  Object.assign(schools, { isAsked: true, problem: "" });
  tell();
  try {
    schools.found = await get(schools.number ? `/schools?k=${schools.number}` : "/schools");
  } catch (error) {
    schools.problem = error.message;
  }
  schools.isAsked = false;
  judgeAge();
}
