// The permanent part of the page: the panel, the line with the answer, the connection to the server.
import { keepAnswer, showAnswer, showDisputes, showNoAnswer } from "./answers.js";
import { startRules } from "./arc-rules.js";
import { bridge } from "./bridge.js";
import { startDrawer } from "./drawer.js";
import { startDrawing } from "./drawing-board.js";
import { $, fill } from "./elements.js";
import { listen } from "./events.js";
import { startHistory } from "./history.js";
import { startInputs } from "./input-list.js";
import { leave } from "./key.js";
import { startNames } from "./names-table.js";
import { startOut } from "./out.js";
import { drawPanels, startPanels } from "./panels.js";
import { startPeople } from "./people.js";
import { startRemovedFiles } from "./removed-files.js";
import { startRounds } from "./rounds.js";
import { startRows } from "./row-requests.js";
import { startSchools } from "./schools-request.js";
import { get } from "./server.js";
import { startSettings } from "./settings.js";
import { startStatus, tellAnswer, tellFailed, tellSolving } from "./status-line.js";
import { startTiers } from "./tier-board.js";
import { onWork, refresh, take, work } from "./work.js";
import { follow as followFacilitator, startWall } from "./wall.js";
import { startWorkspaces } from "./workspaces.js";

startDrawer();
startInputs();
startDrawing();
startNames();
startRemovedFiles();
startSettings();
startRules();
startTiers();
startStatus();
startRounds();
startRows();
startPanels();
startPeople();
startOut();
startWall();
startHistory();
startSchools();
startWorkspaces();
onWork(welcome);

function welcome({ question, answer, failed }) {
  const on = question.inputs.filter((one) => one.on).length;
  if (on && answer) return;
  $("welcome-text").textContent = on
    ? failed ? "There is no consensus of these inputs yet; the reason is shown above." : "The first answer is being computed."
    : question.inputs.length
    ? "All inputs are off. Switch one on to see the consensus."
    : bridge.isWall()
    ? "The consensus appears here when the first network is added."
    : "Drop the networks of your group, or draw one. You see at once where they agree and where they differ; then switch one off, forbid an arc, change the limit, and see what follows.";
  if (!on) showNoAnswer();
  else if (document.querySelector("main").hidden) $("welcome").hidden = false;
}

let frontierOf = -1; // a revision
let followed = ""; // the question and the effort of the answer that is on the page, or on its way there
let hasCosts = false; // whether the costs of other decisions were known when that answer was requested, or were reported since

// A newer answer, or the costs of its disputes if their event was missed. If only notes are new, nothing else is.
async function follow(revision, key, { effort, is_solved: isSolved }) {
  const next = `${key} ${effort}`;
  if (next === followed && (hasCosts || !isSolved)) {
    keepAnswer(revision);
    return;
  }
  followed = next;
  hasCosts = isSolved;
  try {
    await showAnswer(revision);
  } catch (error) {
    followed = "";
    fill($("trouble"), error.message);
  }
}

function takeDisputes(news) {
  if (`${news.key} ${news.effort}` === followed) hasCosts = true;
  showDisputes(news);
}

// The best networks for other limits, as long as the question is the same.
bridge.askFrontier = async (said) => {
  const { revision } = work;
  try {
    let found = { state: "searching" };
    while (found.state === "searching" && revision === work.revision) found = await get("/frontier?wait=30");
    if (revision === work.revision) bridge.frontier = found.points;
  } catch (error) {
    fill(said, error.message);
  }
};
onWork(({ revision }) => {
  if (revision === frontierOf) return;
  frontierOf = revision;
  bridge.frontier = null;
});

onWork(({ revision, key, answer, question }) => {
  if (answer && question.inputs.some((one) => one.on)) follow(revision, key, answer);
  else if (!question.inputs.some((one) => one.on)) followed = "";
});

// Leave a workspace that never existed, or cannot be read.
const readAnew = () => refresh().catch((error) => (error.status && work.revision < 0 ? leave(error.message) : fill($("trouble"), error.message)));

listen({
  changed: take,
  solving: (news) => {
    if (news.revision >= work.revision) work.solving = news;
    tellSolving(news);
  },
  answer: (news) => {
    tellAnswer(news);
    if (news.key === work.key) take({ answer: news });
  },
  disputes: takeDisputes,
  failed: (news) => {
    tellFailed(news);
    if (!news.of && news.revision >= work.revision) take({ failed: news.error, solving: null });
  },
  present: ({ present }) => take({ present }),
  panel: () => drawPanels(),
  focus: followFacilitator,
}, readAnew);
