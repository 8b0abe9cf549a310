import { entryWords } from "@/components/alerts/words";
import { Time } from "@/components/time/time";
import { toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { AlertDetail } from "@/lib/alerts/contract";

type Entry = AlertDetail["timeline"][number];

const tones: Partial<Record<Entry["kind"], keyof typeof toneText>> = {
  opened: "bad",
  raised: "bad",
  reopened: "bad",
  cause_back: "bad",
  flapping: "warn",
  resolved: "good",
  cause_gone: "good",
  acknowledged: "seal",
  snoozed: "seal",
};

/** The history of an alert, newest first. */
export function Timeline({ alert: { timeline } }: { alert: Pick<AlertDetail, "timeline"> }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-1 text-third text-xs">Timeline</h2>
      <ol aria-label="Timeline">
        {timeline.toReversed().map((entry) => (
          <li
            key={entry.id}
            className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-b py-1.5 max-sm:grid-cols-[0.5rem_minmax(0,1fr)]"
          >
            <span
              aria-hidden="true"
              className={cx("size-1.5 self-center rounded-full bg-current", toneText[tones[entry.kind] ?? "neutral"])}
            />
            <span className="min-w-0 text-pretty break-words">
              <Words entry={entry} />
            </span>
            <span className="text-second text-sm max-sm:col-start-2">
              <Time value={entry.at} style="minute" />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Words({ entry }: { entry: Entry }) {
  const { actor, details } = entry;
  const until = typeof details.until === "string" ? details.until : null;
  const note = typeof details.note === "string" ? details.note : null;
  return (
    <>
      {entryWords(entry)}
      {until !== null && (
        <>
          {" "}
          until <Time value={until} />.
        </>
      )}
      {actor !== null && <span className="text-second"> By {actor}.</span>}
      {note !== null && <q className="mt-0.5 block text-second [quotes:'“'_'”']">{note}</q>}
    </>
  );
}
