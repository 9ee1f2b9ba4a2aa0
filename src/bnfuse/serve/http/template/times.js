// Times of the server, "2026-03-01 12:00:00 UTC", as people read them: with the day, as a workshop may take several.

// In a form that every browser reads.
export const asDate = (time) => time.replace(/^(\S+) (\S+) UTC$/, "$1T$2Z");

export function when(time) {
  const date = new Date(asDate(time));
  const day = date.toLocaleDateString([], { day: "numeric", month: "short" });
  return `${day}, ${date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`;
}
