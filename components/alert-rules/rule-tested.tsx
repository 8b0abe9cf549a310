import { subjectWords } from "@/components/alerts/words";
import { plural } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import type { RuleTest } from "@/lib/alerts/rules/contract";

const MAX_ROWS = 20;

const deeds: Record<string, string> = {
  opened: "opens",
  raised: "rises",
  lowered: "goes down",
  reopened: "comes back",
  cause_added: "finds more",
  cause_gone: "notes that its cause is gone",
  cause_back: "notes that its cause is back",
  flapping: "notes that it comes and goes",
  resolved: "resolves",
};

const tellings: Record<string, string> = {
  opened: "tells",
  raised: "tells of the rise",
  repeated: "tells again",
  resolved: "tells that it is over",
};

/** What an evaluation of a rule would do. */
export function RuleTested({ test: { held, outcomes } }: { test: RuleTest }) {
  return (
    <div className="grid gap-3">
      {held && (
        <Note tone="warn">
          Now it is held back: nothing would be told until quiet hours, or a failure of many at once, are over.
        </Note>
      )}
      {outcomes.length === 0 ? (
        <p>Nothing: all its alerts are as they should be, and nobody is to be told anything.</p>
      ) : (
        <ul className="border-t">
          {outcomes.slice(0, MAX_ROWS).map(({ subject, certificate_id, entries, tell, channels }) => (
            <li key={`${subject.id} ${certificate_id}`} className="border-b py-1.5">
              <span className="text-second">{subjectWords[subject.type]}</span>{" "}
              <span className="font-medium">{subject.name}</span>:{" "}
              {[
                ...entries.map((entry) => deeds[entry] ?? entry),
                ...(tell === null
                  ? []
                  : [
                      `${tellings[tell] ?? "tells"} ${channels.map(({ name }) => name).join(", ") || "nobody: no channel is enabled"}`,
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
