import { entriesWords, isTime, listChange, valueWords } from "@/components/audit-logs/changes/change-words";
import { Time } from "@/components/time/time";
import type { AuditChange } from "@/lib/audit-logs/change-contract";

/** Entries of a list in a line; the others are counted. */
const MAX_ENTRIES = 3;

/** One value of a change. */
export function ChangedValue({ value }: { value: unknown }) {
  if (isTime(value)) return <Time value={value} />;
  const isNothing = value === null || value === undefined || value === "";
  return <bdi className={isNothing ? "text-third" : undefined}>{valueWords(value)}</bdi>;
}

/** The values of a change in a line: `+ 203.0.113.0/24`, or `read → admin`. Nothing for a secret. */
export function ChangedValues({ change }: { change: AuditChange }) {
  if (change.secret) return null;
  const list = listChange(change);
  if (list === null) {
    return (
      <>
        <ChangedValue value={change.from} /> → <ChangedValue value={change.to} />
      </>
    );
  }
  const { added, removed } = list;
  if (added.count + removed.count === 0) return "another order";
  return (
    <bdi>
      {added.count > 0 && `+ ${entriesWords(added, MAX_ENTRIES)}`}
      {added.count > 0 && removed.count > 0 && " "}
      {removed.count > 0 && `− ${entriesWords(removed, MAX_ENTRIES)}`}
    </bdi>
  );
}
