import Link from "next/link";
import type { ReactNode } from "react";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { Ago, Time } from "@/components/time/time";
import type { Fact } from "@/lib/audit-logs/read/context-contract";

/** A fact about an event in a sentence or two. */
export function FactWords({ fact }: { fact: Exclude<Fact, { kind: "repeated" }> }): ReactNode {
  switch (fact.kind) {
    case "secret_rotated":
      return (
        <>
          The secret had been rotated out <Ago value={fact.at} />
          {fact.by && ` by ${fact.by}`}, at <Time value={fact.at} style="full" />.{" "}
          <Link prefetch={false} href={`${EXPLORER}/${fact.event_id}`} className="text-seal underline">
            The rotation
          </Link>
        </>
      );
    case "first_from_address":
      return (
        <>
          The first time that this {fact.of === "api_key" ? "key" : "person"} was at this address, as far back as
          entries are kept (<Time value={fact.kept_since} style="day" />
          ).
        </>
      );
    case "outside_whitelist":
      return (
        <>
          The key’s whitelist now is{" "}
          <span className="font-mono text-sm">{fact.ip_whitelist.join(", ") || "empty"}</span>:{" "}
          {fact.allowed_now ? "the address would be allowed today." : "the address would be refused again."}
        </>
      );
    case "near_limit":
      return fact.remaining === 0
        ? `The key had used up the ${fact.limit} requests that it has in a minute for this group.`
        : `Only ${fact.remaining} of the ${fact.limit} requests in the minute were left to the key.`;
    case "slow":
      return `It took more than twice as long as 95 % of the ${fact.compared.toLocaleString("en-GB")} requests to this route in the day before (${fact.p95_ms.toFixed(1)} ms).`;
    case "key_since":
      return (
        <>
          The key {fact.status === "revoked" ? "was revoked" : "expired"} <Ago value={fact.at} /> and no longer works.
        </>
      );
    case "from_the_future":
      return "Its time is ahead of the clock here: the clocks of two machines differ.";
  }
}
