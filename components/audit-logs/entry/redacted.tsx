import Link from "next/link";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { Time } from "@/components/time/time";
import type { AuditEvent, RedactablePart } from "@/lib/audit-logs/contract";

/** That a part of an event was redacted and when, with a link to the event that says why. */
export function Redacted({ part, of: { seal } }: { part: RedactablePart; of: AuditEvent }) {
  const redaction = seal?.redaction?.[part];
  if (!redaction) return <span className="text-second">redacted</span>;
  return (
    <span className="text-second">
      redacted <Time value={redaction.at} />,{" "}
      <Link prefetch={false} href={`${EXPLORER}/${redaction.id}`} className="underline underline-offset-2">
        by whom and why
      </Link>
    </span>
  );
}
