import { ChangeSentence } from "@/components/audit-logs/changes/change-sentence";
import { ChangedValue } from "@/components/audit-logs/changes/change-values";
import { changeSummary, entriesWords, fieldWords, listChange } from "@/components/audit-logs/changes/change-words";
import { callerName } from "@/components/audit-logs/events/cells";
import type { AuditChange } from "@/lib/audit-logs/change-contract";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { plural } from "@/lib/text/counts";

/** Lists are shown in full; of longer ones an event has only the first entries. */
const ALL = 100;

/** What an event changed: a sentence, and a table of the fields before and after. */
export function EventChanges({ event }: { event: AuditEvent }) {
  if (changeSummary(event) === null) return null;
  const { changes = [], changes_omitted = 0 } = event.details ?? {};
  return (
    <section className="mb-4">
      <h2 className="mb-1 text-third text-xs">Changes</h2>
      <p className="text-pretty">
        <ChangeSentence event={event} by={callerName(event)} />
      </p>
      {changes.length > 0 && (
        <table aria-label="Fields before and after" className="mt-2 w-full table-fixed text-sm">
          <thead>
            <tr className="text-left text-second">
              <th scope="col" className="w-1/3 border-b py-0.5 pr-2 font-normal">
                Field
              </th>
              <th scope="col" className="border-b py-0.5 pr-2 font-normal">
                Before
              </th>
              <th scope="col" className="border-b py-0.5 font-normal">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <ChangeRow key={`${change.resource?.id} ${change.field}`} change={change} />
            ))}
          </tbody>
        </table>
      )}
      {changes_omitted > 0 && (
        <p className="mt-1 text-second text-sm">
          {plural(changes_omitted, "more change")}. The body of the request has all of them.
        </p>
      )}
    </section>
  );
}

function ChangeRow({ change }: { change: AuditChange }) {
  const { resource, field, secret } = change;
  return (
    <tr className="align-top">
      <th scope="row" className="break-words border-b py-1 pr-2 text-left font-normal" title={field}>
        {resource && <bdi className="block text-second">{resource.name}</bdi>}
        {fieldWords(field)}
      </th>
      {secret ? (
        <td colSpan={2} className="border-b py-1 text-second">
          secret, not recorded
        </td>
      ) : (
        <>
          <td className="break-words border-b py-1 pr-2 text-second">
            <Side change={change} side="removed" value={change.from} />
          </td>
          <td className="break-words border-b py-1">
            <Side change={change} side="added" value={change.to} />
          </td>
        </>
      )}
    </tr>
  );
}

/** One side of a change: the value, or of a list all entries, with marks at those that were removed or added. */
function Side({ change, side, value }: { change: AuditChange; side: "added" | "removed"; value: unknown }) {
  const list = listChange(change);
  if (list === null) return <ChangedValue value={value} />;
  const mark = side === "added" ? "+" : "−";
  const { count, first } = list[side];
  const kept = Array.isArray(value) ? value.filter((entry) => !first.includes(entry)) : [];
  if (count + kept.length === 0) return <ChangedValue value={null} />;
  return (
    <bdi>
      {kept.length > 0 && <span className="block">{entriesWords({ count: kept.length, first: kept }, ALL)}</span>}
      {first.map((entry) => (
        <span key={String(entry)} className="block font-medium">
          {mark} {entriesWords({ count: 1, first: [entry] }, 1)}
        </span>
      ))}
      {count > first.length && (
        <span className="block">{plural(count - first.length, "more entry", "more entries")}</span>
      )}
    </bdi>
  );
}
