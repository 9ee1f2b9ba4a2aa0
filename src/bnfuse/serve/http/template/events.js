// What the server tells by itself. A connection that is lost is said in one line, and tried again.
import { $ } from "./elements.js";
import { base, me } from "./server.js";

const FIRST_PAUSE = 1000; // milliseconds
const LONGEST_PAUSE = 15000;

// A server that was started anew has another key, and the page an old one.
async function reason() {
  const status = await fetch(base, { cache: "no-store" }).then((response) => response.status, () => 0);
  return status === 401
    ? "The server was started anew: open the address that it shows."
    : "The connection is lost; what was done is kept. Trying again\u2026";
}

// listeners: by the kind of event; `whenOpen` is called each time that a connection stands. A browser has six connections to a
// server for all of its tabs, and this takes one: a tab that nobody sees has none, and reads everything anew when it is seen.
export function listen(listeners, whenOpen) {
  let pause = FIRST_PAUSE;
  let source = null;
  let timer = 0;
  const close = () => {
    source?.close();
    source = null;
    clearTimeout(timer);
  };
  const open = () => {
    close();
    const own = (source = new EventSource(`${base}/events${me ? `?person=${me.id}` : ""}`));
    own.addEventListener("open", () => {
      pause = FIRST_PAUSE;
      $("offline").textContent = "";
      whenOpen();
    });
    own.addEventListener("error", async () => {
      own.close(); // a browser gives up by itself after some errors, and never says so
      const problem = await reason();
      if (own !== source) return; // put away meanwhile
      $("offline").textContent = problem;
      timer = setTimeout(open, pause);
      pause = Math.min(LONGEST_PAUSE, 2 * pause);
    });
    for (const [kind, listener] of Object.entries(listeners)) {
      own.addEventListener(kind, (event) => listener(JSON.parse(event.data)));
    }
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  if (!document.hidden) open();
}
