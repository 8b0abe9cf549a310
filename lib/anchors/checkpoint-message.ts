import type { AnchoredCheckpoint } from "@/lib/audit-logs/sign/anchor-checkpoint";
import type { Message } from "@/lib/notification-channels/providers/message";
import { plural } from "@/lib/text/counts";

const time = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
  timeZone: "UTC",
});

/** Day and time of signing, part by part, because the punctuation between them depends on the version of Node.js. */
function minuteOf(at: Date): string {
  const parts = new Map(time.formatToParts(at).map(({ type, value }) => [type, value]));
  const [day, month, year] = [parts.get("day"), parts.get("month"), parts.get("year")];
  return `${day} ${month} ${year} at ${parts.get("hour")}:${parts.get("minute")} UTC`;
}

/** The message with a checkpoint for people to keep. `url` is the address of the page Integrity. */
export function checkpointMessage(
  { epoch, size, signed_at, note, vkey }: AnchoredCheckpoint,
  { organization, url, now }: { organization: string; url: string; now: Date },
): Message {
  const entries = plural(size, "entry", "entries");
  return {
    kind: "checkpoint",
    state: "firing",
    severity: "info",
    title: `${organization}, ${entries}`,
    text: [
      `The audit log of ${organization} had ${entries} on ${minuteOf(signed_at)}.`,
      "Keep this message: with it, nobody can change, remove or insert any of them without a trace.",
      "To compare, copy the five lines of the checkpoint into a file, download a bundle from the page below, and run",
      "node sealwatch-verify.mjs BUNDLE --vkey KEY --checkpoint FILE",
    ].join("\n"),
    items: [],
    more: 0,
    url,
    key: "checkpoint",
    at: now.toISOString(),
    checkpoint: { epoch, size, signed_at: signed_at.toISOString(), vkey, note },
  };
}
