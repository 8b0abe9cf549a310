import Link from "next/link";
import type { ReactNode } from "react";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { Ago, Time } from "@/components/time/time";
import type { Fact } from "@/lib/audit-logs/read/context-contract";

/** A fact about an event, in one or two sentences. */
export function FactWords({ fact }: { fact: Exclude<Fact, { kind: "repeated" | "old_secret_from" }> }): ReactNode {
  switch (fact.kind) {
    case "secret_rotated":
      return (
        <>
          The secret was rotated out <Ago value={fact.at} />
          {fact.by && ` by ${fact.by}`}, at <Time value={fact.at} style="full" />.{" "}
          <Link prefetch={false} href={`${EXPLORER}/${fact.event_id}`} className="text-seal underline">
            View the rotation
          </Link>
        </>
      );
    case "first_from_address":
      return (
        <>
          First use of this address by this {fact.of === "api_key" ? "key" : "user"} since{" "}
          <Time value={fact.kept_since} style="day" />, the start of the kept log.
        </>
      );
    case "outside_whitelist":
      return (
        <>
          The key’s current whitelist is{" "}
          <span className="font-mono text-sm">{fact.ip_whitelist.join(", ") || "empty"}</span>:{" "}
          {fact.allowed_now ? "the address would be allowed now." : "the address would still be blocked."}
        </>
      );
    case "near_limit":
      return fact.remaining === 0
        ? `The key had used all of its ${fact.limit} requests per minute for this group.`
        : `The key had only ${fact.remaining} of its ${fact.limit} requests per minute left.`;
    case "slow":
      return `Took more than twice as long as 95% of the ${fact.compared.toLocaleString("en-GB")} requests to this route in the day before (${fact.p95_ms.toFixed(1)} ms).`;
    case "key_since":
      return (
        <>
          The key {fact.status === "revoked" ? "was revoked" : "expired"} <Ago value={fact.at} /> and no longer works.
        </>
      );
    case "on_hold":
      return (
        <>
          On hold (<span className="break-words">{fact.name}</span>) since <Time value={fact.since} style="full" />:
          this entry does not expire and cannot be redacted.{" "}
          <Link prefetch={false} href="/integrity#holds" className="text-seal underline">
            View the holds
          </Link>
        </>
      );
    case "redaction_waiting":
      return (
        <>
          The redaction of the {fact.part} that was requested <Ago value={fact.requested_at} /> waits until the hold is
          released.
        </>
      );
    case "from_the_future":
      return "The timestamp is in the future: the clocks of two machines differ.";
  }
}
