import { ChangedValues } from "@/components/audit-logs/changes/change-values";
import { changeSummary } from "@/components/audit-logs/changes/change-words";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { inSentence } from "@/lib/text/labels";

/** What an event changed, in one line; with `by`, as a sentence about the caller. Nothing for events that record no changes. */
export function ChangeSentence({ event, by }: { event: AuditEvent; by?: string }) {
  const summary = changeSummary(event);
  if (summary === null) return null;
  const { text, change } = summary;
  return (
    <>
      {by !== undefined && <bdi>{by}</bdi>} <bdi>{by === undefined ? text : inSentence(text)}</bdi>
      {change && !change.secret && ": "}
      {change && <ChangedValues change={change} />}
    </>
  );
}
