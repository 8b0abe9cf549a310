/** A calendar event at one point in time. */
export interface CalendarEvent {
  uid: string;
  at: Date;
  summary: string;
  description: string;
}

const encoder = new TextEncoder();

/** Escapes text (RFC 5545 3.3.11). */
function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n|\r|\n/g, "\\n")
    .replace(/\p{Cc}/gu, " ");
}

/** Folds lines to 75 octets without splitting a character (RFC 5545 3.1). */
function folded(line: string): string {
  let [text, length] = ["", 0];
  for (const character of line) {
    const octets = encoder.encode(character).length;
    if (length + octets > 75) {
      text += "\r\n ";
      length = 1;
    }
    text += character;
    length += octets;
  }
  return `${text}\r\n`;
}

function stamp(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** A calendar file (RFC 5545). `now` is its creation time. */
export function toIcal(name: string, events: readonly CalendarEvent[], now: Date): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sealwatch//Certificate expiries//EN",
    `X-WR-CALNAME:${escaped(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
    ...events.flatMap(({ uid, at, summary, description }) => [
      "BEGIN:VEVENT",
      `UID:${uid}`,
      `DTSTAMP:${stamp(now)}`,
      `DTSTART:${stamp(at)}`,
      `SUMMARY:${escaped(summary)}`,
      `DESCRIPTION:${escaped(description)}`,
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
    ]),
    "END:VCALENDAR",
  ];
  return lines.map(folded).join("");
}
