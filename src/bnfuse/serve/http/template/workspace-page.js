// What stays on the page: the panel, the line with the answer, the connection to the server.
import { showAnswer, showNoAnswer } from "./answers.js";
import { startRules } from "./arc-rules.js";
import { bridge } from "./bridge.js";
import { startDrawer } from "./drawer.js";
import { $, fill } from "./elements.js";
import { listen } from "./events.js";
import { startHistory } from "./history.js";
import { startInputs } from "./input-list.js";
import { leave } from "./key.js";
import { startOut } from "./out.js";
import { startRemovedFiles } from "./removed-files.js";
import { startRounds } from "./rounds.js";
import { get } from "./server.js";
import { startSettings } from "./settings.js";
import { startStatus, tellAnswer, tellFailed, tellSolving } from "./status-line.js";
import { startTiers } from "./tier-board.js";
import { onWork, refresh, work } from "./work.js";
import { startWorkspaces } from "./workspaces.js";

startDrawer();
startInputs();
startRemovedFiles();
startSettings();
startRules();
startTiers();
startStatus();
startRounds();
startOut();
startHistory();
startWorkspaces();
onWork(welcome);

function welcome({ question, answer }) {
  const on = question.inputs.filter((one) => one.on).length;
  if (on && answer) return;
  $("welcome-text").textContent = on
    ? "The first answer is on its way."
    : question.inputs.length
    ? "All inputs are off. Switch one on to see the consensus."
    : "Drop the networks of your group. You see at once where they agree and where they differ; then switch one off, forbid an arc, change the limit, and see what follows.";
  if (!on) showNoAnswer();
  else if (document.querySelector("main").hidden) $("welcome").hidden = false;
}

let frontierOf = -1; // a revision
let followed = -1; // the revision whose answer is on the page, or on its way there

// A newer answer, and who disputes what in it.
async function follow(revision) {
  followed = revision;
  try {
    await showAnswer(revision);
    const found = await get(`/disputes?revision=${revision}`);
    bridge.disputes = found.disputes;
    bridge.isSolved = found.is_solved;
    $("line").dataset.solved = found.is_solved;
    bridge.answer?.tellDisputes();
  } catch (error) {
    followed = -1;
    fill($("trouble"), error.message);
  }
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

// What was undone has its answer at once, of which the server tells nothing.
onWork(({ revision, answer, question }) => {
  if (answer && revision !== followed && question.inputs.some((one) => one.on)) follow(revision);
});

// A workspace that was never there, or cannot be read, is not one to stay on.
const readAnew = () => refresh().catch((error) => (error.status && work.revision < 0 ? leave(error.message) : fill($("trouble"), error.message)));

listen({
  changed: readAnew,
  solving: tellSolving,
  answer: (news) => {
    tellAnswer(news);
    follow(news.revision);
    readAnew();
  },
  disputes: ({ revision }) => {
    if (revision === followed) follow(revision);
  },
  failed: (news) => {
    tellFailed(news);
    readAnew();
  },
}, readAnew);
