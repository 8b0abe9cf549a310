import type { ReactNode } from "react";
import { FactWords } from "@/components/audit-logs/entry/fact-words";
import { Skeleton } from "@/components/ui/skeleton";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Flag } from "@/lib/audit-logs/flags";
import type { Fact } from "@/lib/audit-logs/read/context-contract";

/** What earlier and later events show about an event. Null facts are unavailable. */
export function EventFacts({ event, facts }: { event: AuditEvent; facts: readonly Fact[] | null }) {
  if (facts === null) return <Unusual>Unavailable right now.</Unusual>;
  if (facts.length === 0) return <Unusual>Nothing unusual found.</Unusual>;
  return (
    <Unusual>
      <ul className="grid gap-1">
        {facts.map((fact) => (
          <li key={keyOf(fact)} className="text-pretty border-strong border-l-2 pl-2.5">
            <FactWords fact={fact} event={event} />
          </li>
        ))}
      </ul>
    </Unusual>
  );
}

/** Lines of the facts that events with a flag usually have; other events have one fact or none. */
const usualLines: Partial<Record<Flag, number>> = {
  rotated_secret: 4,
  revoked_key: 5,
  ip_not_allowed: 4,
  expired_key: 3,
};

/** As high as the facts usually are, so that what follows rarely moves. */
export function FactsSkeleton({ event }: { event: AuditEvent }) {
  const lines = Math.max(1, ...event.security.flags.map((flag) => usualLines[flag] ?? 1));
  return (
    <Unusual>
      <span aria-busy="true" className="grid">
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity.
          <span key={line} className="flex h-[1lh] items-center">
            <Skeleton className="w-52" />
          </span>
        ))}
      </span>
    </Unusual>
  );
}

function Unusual({ children }: { children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1 text-third text-xs">Unusual</h2>
      <div className="text-second">{children}</div>
    </section>
  );
}

/** Facts of one kind differ in what they are about. */
function keyOf(fact: Fact): string {
  return `${fact.kind} ${"flag" in fact ? fact.flag : "part" in fact ? fact.part : ""}`;
}
