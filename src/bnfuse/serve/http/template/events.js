// The events that the server sends. A lost connection is reported in one line, and tried again.
import { $ } from "./elements.js";
import { hasKey, leave } from "./key.js";
import { base, ownHeaders } from "./server.js";

const FIRST_PAUSE = 1000; // milliseconds
const LONGEST_PAUSE = 15000;
const LOST = "The connection is lost; your changes are kept. Trying again\u2026";

// The events of a response, as they arrive: [kind, data]. A browser's own EventSource cannot send the key.
async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value.replaceAll("\r", "");
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join("\n");
      if (field("event")) yield [field("event"), JSON.parse(field("data"))];
    }
  }
}

// listeners: by the kind of event; `whenOpen` is called each time a connection is established. A browser has six
// connections to a server for all of its tabs, and this takes one: a hidden tab has none, and reads everything again
// when it is shown.
export function listen(listeners, whenOpen) {
  let pause = FIRST_PAUSE;
  let current = null;
  let timer = 0;
  const close = () => {
    current?.abort();
    current = null;
    clearTimeout(timer);
  };
  const open = async () => {
    close();
    const own = (current = new AbortController());
    if (!hasKey()) await leave("", true);
    try {
      const response = await fetch(`${base}/events`, { cache: "no-store", headers: ownHeaders(), signal: own.signal });
      if (response.status === 401) await leave("", true);
      if (response.ok) {
        pause = FIRST_PAUSE;
        $("offline").textContent = "";
        whenOpen();
        for await (const [kind, data] of eventsOf(response)) listeners[kind]?.(data);
      } else if (response.status === 404 || response.status === 503) whenOpen(); // which gives the reason
    } catch {
      // reported below
    }
    if (own !== current) return; // hidden in the meantime
    $("offline").textContent = LOST;
    timer = setTimeout(open, pause);
    pause = Math.min(LONGEST_PAUSE, 2 * pause);
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  if (!document.hidden) open();
}
