import { Note } from "@/components/ui/note";
import { subjectTypeLabels } from "@/lib/alerts/labels";
import type { RuleTest } from "@/lib/alerts/rules/contract";
import { plural } from "@/lib/text/counts";

const MAX_ROWS = 20;

const changes: Record<string, string> = {
  opened: "opens an alert",
  raised: "raises the alert",
  lowered: "lowers the alert",
  reopened: "reopens the alert",
  cause_added: "adds a cause",
  cause_gone: "records that the cause is gone",
  cause_back: "records that the cause is back",
  flapping: "marks the alert as flapping",
  resolved: "resolves the alert",
};

/** The changes and notifications that an evaluation of the rule would make. */
export function RuleTestResult({ test: { held, outcomes } }: { test: RuleTest }) {
  return (
    <div className="grid gap-3">
      {held && (
        <Note tone="warn">
          Notifications are held back now, because of quiet hours or because many subjects failed together.
        </Note>
      )}
      {outcomes.length === 0 ? (
        <p>No changes: all alerts of this rule are up to date, and no notification is due.</p>
      ) : (
        <ul className="border-t">
          {outcomes.slice(0, MAX_ROWS).map(({ subject, certificate_id, entries, tell, channels }) => (
            <li key={`${subject.id} ${certificate_id}`} className="border-b py-1.5">
              <span className="text-second">{subjectTypeLabels[subject.type]}</span>{" "}
              <span className="font-medium">{subject.name}</span>:{" "}
              {[
                ...entries.map((entry) => changes[entry] ?? entry),
                ...(tell === null
                  ? []
                  : [
                      `${tell === "repeated" ? "reminds" : "notifies"} ${channels.map(({ name }) => name).join(", ") || "nobody: no channel is enabled"}`,
                    ]),
              ].join(", ")}
              .
            </li>
          ))}
        </ul>
      )}
      {outcomes.length > MAX_ROWS && (
        <p className="text-second">and {plural(outcomes.length - MAX_ROWS, "more subject")}</p>
      )}
    </div>
  );
}
