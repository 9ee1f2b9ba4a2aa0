// The start page: takes the token, once, and lists the workspaces to choose from.
import { $, element, fill } from "./elements.js";
import { askOthers, dropKey, hasKey, keepKey, keyHeader, pageOf, takeSaid, takeWanted } from "./key.js";
import { saveResponse } from "./saved-response.js";

const ALL = "/api/workspaces";
const SESSION = "/api/session";
const LOST = "The server cannot be reached.";
const OLD = "The server was started again. Give its new token, or open the page as bnfuse serve describes.";

const tell = (text) => fill($("said"), text);

// The response, or an Error with one line for the reader.
async function asked(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options, headers: { ...keyHeader(), ...options.headers } });
  } catch {
    throw new Error(LOST);
  }
  if (response.ok) return response;
  const { error = `The server answered with ${response.status}.` } = await response.json().catch(() => ({}));
  throw Object.assign(new Error(error), { status: response.status });
}

function enter({ key, workspace }) {
  keepKey(key);
  const wanted = takeWanted();
  if (wanted || workspace !== null) location.replace(wanted ?? pageOf(workspace));
  else list();
}

async function join(secret, workspace) {
  try {
    const given = await (await asked(SESSION, { method: "POST", headers: { Authorization: `Bearer ${secret}` } })).json();
    enter({ ...given, workspace: workspace || given.workspace });
  } catch (error) {
    askForToken(error.status === 401 ? "That is not the token of this server." : error.message);
  }
}

function askForToken(said) {
  dropKey();
  tell(said);
  $("choice").hidden = true;
  $("join").hidden = false;
  $("token").focus();
}

async function list() {
  try {
    const all = await (await asked(ALL)).json();
    $("join").hidden = true;
    $("choice").hidden = false;
    $("none").hidden = all.length > 0;
    $("workspaces").replaceChildren(...all.map(row));
  } catch (error) {
    if (error.status === 401) askForToken(OLD);
    else tell(error.message);
  }
}

function row({ name, changed, problem }) {
  const when = element("time", { class: "note", datetime: changed }, new Date(changed).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
  const path = `${ALL}/${encodeURIComponent(name)}`;
  return element(
    "li",
    {},
    problem === null ? element("a", { href: pageOf(name) }, name) : element("span", {}, name),
    when,
    problem === null && element("button", { type: "button", "aria-label": `Download ${name}`, onclick: () => take(`${path}/bundle`) }, "Download"),
    element("button", { type: "button", "aria-label": `Delete ${name}`, onclick: ({ target }) => remove(name, path, target) }, "Delete"),
    problem !== null && element("p", { class: "wrong" }, problem),
  );
}

async function take(path) {
  try {
    await saveResponse(await asked(path));
    tell("");
  } catch (error) {
    tell(error.message);
  }
}

// Confirmed in the page: this cannot be undone.
async function remove(name, path, button) {
  if (button.dataset.sure !== "true") {
    button.dataset.sure = "true";
    fill(button, "Delete permanently?");
    return;
  }
  try {
    await asked(`${path}?for=good`, { method: "DELETE" });
    tell(`${name} is deleted.`);
  } catch (error) {
    tell(error.message);
  }
  list();
}

async function make() {
  const name = $("new-name").value.trim();
  try {
    const made = await asked(ALL, { method: "POST", body: JSON.stringify(name ? { name } : {}), headers: { "Content-Type": "application/json" } });
    location.href = pageOf((await made.json()).name);
  } catch (error) {
    tell(error.message);
  }
}

async function open(file) {
  tell(`Reading ${file.name}\u2026`);
  try {
    const made = await asked("/api/bundles", { method: "PUT", body: file, headers: { "Content-Type": "application/zip" } });
    location.href = pageOf((await made.json()).name);
  } catch (error) {
    tell(error.message);
  }
}

$("join").addEventListener("submit", (event) => {
  event.preventDefault();
  join($("token").value.trim());
});
$("new").addEventListener("click", make);
$("new-name").addEventListener("keydown", ({ key }) => key === "Enter" && make());
$("bundle").addEventListener("change", () => {
  const [file] = $("bundle").files;
  $("bundle").value = ""; // the same file may be chosen again
  if (file) open(file);
});

const entered = JSON.parse($("entered").value);
const [secret, linked] = location.hash.slice(1).split("/").map(decodeURIComponent); // a link may name a workspace
if (location.hash) history.replaceState(null, "", location.pathname); // the secret of a link leaves the address
const said = takeSaid();
if (entered?.key) enter(entered);
else if (entered?.error) askForToken(entered.error);
else if (secret) join(secret, linked);
else if (hasKey()) {
  tell(location.pathname === "/" ? said ?? "" : "There is no such page. Choose a workspace.");
  list();
} else {
  askForToken(said ?? "");
  askOthers((key) => hasKey() || enter({ key, workspace: null }));
}
if (location.pathname !== "/") history.replaceState(null, "", "/");
