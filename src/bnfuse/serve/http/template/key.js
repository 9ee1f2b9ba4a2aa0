// The key to the server. It stays in this tab: no cookie, which servers at other ports of this machine would get too.
const KEY = "bnfuse key";
const SAID = "bnfuse said";
const WANTED = "bnfuse wanted";

const taken = (place) => {
  const value = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  return value;
};

export const hasKey = () => sessionStorage.getItem(KEY) !== null;
export const keepKey = (key) => sessionStorage.setItem(KEY, key);
export const dropKey = () => sessionStorage.removeItem(KEY);
export const keyHeader = () => ({ Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}` });
export const pageOf = (workspace) => `/w/${encodeURIComponent(workspace)}/`;

// To the start page, which gives the reason; with `isToReturn`, it comes back here with a new key.
export function leave(said, isToReturn = false) {
  sessionStorage.setItem(SAID, said);
  if (isToReturn) sessionStorage.setItem(WANTED, location.pathname);
  location.replace("/");
  return new Promise(() => null); // this page is about to be left
}

export const takeSaid = () => taken(SAID);
export const takeWanted = () => taken(WANTED);

// A new tab has no key, and asks the others: only pages of this server, at this port, can receive that message.
const channel = new BroadcastChannel("bnfuse keys");

channel.addEventListener("message", ({ data }) => {
  if (data === "who has a key?" && hasKey()) channel.postMessage({ key: sessionStorage.getItem(KEY) });
});

export function askOthers(listener) {
  channel.addEventListener("message", ({ data }) => data.key && listener(data.key), { once: true });
  channel.postMessage("who has a key?");
}
