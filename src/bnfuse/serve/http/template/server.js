// The server, as one workspace has it. What goes wrong is an Error with one line for the reader.

import { hasKey, keyHeader, leave } from "./key.js";

export const name = decodeURIComponent(location.pathname.split("/")[2] || "");
export const base = `/api/workspaces/${encodeURIComponent(name)}`;

const LOST = "The server cannot be reached.";

async function problemOf(response) {
  try {
    const { error } = await response.json();
    if (error) return error;
  } catch {
    // not JSON: its number must do
  }
  return `The server answered with ${response.status}.`;
}

export async function fetched(path, options = {}) {
  let response;
  if (!hasKey()) await leave("", true);
  try {
    response = await fetch(path, { ...options, cache: "no-store", headers: { ...options.headers, ...keyHeader() } });
  } catch {
    throw new Error(LOST);
  }
  if (response.status === 401) await leave("", true);
  if (!response.ok) throw Object.assign(new Error(await problemOf(response)), { status: response.status });
  return response;
}

export async function get(path) {
  return (await fetched(`${base}${path}`)).json();
}

export async function send(method, path, body) {
  const options = body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetched(`${base}${path}`, { method, ...options });
  return response.status === 204 ? null : response.json();
}

// A file as it is: the server reads it.
export async function upload(file) {
  const response = await fetched(`${base}/files?name=${encodeURIComponent(file.name)}`, { method: "PUT", body: file });
  return response.json();
}
