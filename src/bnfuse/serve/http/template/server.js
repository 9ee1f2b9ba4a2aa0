// The server, for one workspace. Failures are Errors with one line for the reader.

import { hasKey, keyHeader, leave } from "./key.js";

export const name = decodeURIComponent(location.pathname.split("/")[2] || "");
export const base = `/api/workspaces/${encodeURIComponent(name)}`;

const LOST = "The server cannot be reached.";

// Changes that somebody else has made in the meantime are in `conflicts`.
async function problemOf(response) {
  try {
    const { error, conflicts = null } = await response.json();
    if (error) return Object.assign(new Error(error), { conflicts });
  } catch {
    // not JSON: only the status number is shown
  }
  return new Error(`The server answered with ${response.status}.`);
}

// The identity of the person: the key that the server gave when they joined.
const MINE = `bnfuse person ${name}`;
export const me = JSON.parse(localStorage.getItem(MINE) || "null");
export function remember(person) {
  if (person) localStorage.setItem(MINE, JSON.stringify(person));
  else localStorage.removeItem(MINE);
}

// The headers of every request: the key of the tab and, for people who have joined, that of the person.
export const ownHeaders = () => ({ ...keyHeader(), ...(me ? { "Bnfuse-Person": me.key } : {}) });

export async function fetched(path, options = {}) {
  let response;
  if (!hasKey()) await leave("", true);
  try {
    response = await fetch(path, { ...options, cache: "no-store", headers: { ...options.headers, ...ownHeaders() } });
  } catch {
    throw new Error(LOST);
  }
  if (response.status === 401) await leave("", true);
  if (!response.ok) throw Object.assign(await problemOf(response), { status: response.status });
  return response;
}

export async function get(path) {
  return (await fetched(`${base}${path}`)).json();
}

// `on` is the revision on which a change was made.
export async function send(method, path, body, on) {
  const headers = on === undefined ? {} : { "If-Match": `"${on}"` };
  const options = body === undefined ? { headers } : { body: JSON.stringify(body), headers: { ...headers, "Content-Type": "application/json" } };
  const response = await fetched(`${base}${path}`, { method, ...options });
  return response.status === 204 ? null : response.json();
}

// A file, unchanged: the server reads it.
export async function upload(file) {
  const response = await fetched(`${base}/files?name=${encodeURIComponent(file.name)}`, { method: "PUT", body: file });
  return response.json();
}
