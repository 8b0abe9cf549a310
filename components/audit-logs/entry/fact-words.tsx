import Link from "next/link";
import type { ReactNode } from "react";
import { standingAdvice } from "@/components/api-keys/old-secrets/words";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { Ago, Time } from "@/components/time/time";
import { formatMs } from "@/components/time/time-format";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import type { Fact } from "@/lib/audit-logs/read/context-contract";
import { NO_AUTHENTICATION } from "@/lib/audit-logs/redacted-caller";
import { plural } from "@/lib/text/counts";

type Repeated = Extract<Fact, { kind: "repeated" }>;

/** A fact about an event, in one or two sentences. */
export function FactWords({ fact, event }: { fact: Fact; event: AuditEvent }): ReactNode {
  switch (fact.kind) {
    case "repeated":
      return (
        <>
          {event.security.flags.length > 1 && `${flagLabels[fact.flag]}: `}
          {timesWords(event, fact)}{" "}
          <Link prefetch={false} href={hrefOfAll(event, fact)} className="text-seal underline">
            Show all
          </Link>
        </>
      );
    case "old_secret_from":
      return standingAdvice(event.security.flags.includes("revoked_key"), fact.standing);
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
        ? `The key had used all of its ${plural(fact.limit, "request")} per minute for this group.`
        : `The key had only ${fact.remaining} of its ${plural(fact.limit, "request")} per minute left.`;
    case "slow":
      return `Took more than twice as long as 95% of the ${plural(fact.compared, "request")} to this route in the day before (${formatMs(fact.p95_ms)}).`;
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

function timesWords(event: AuditEvent, { times, addresses }: Repeated): string {
  const { api_key, user } = event.authentication ?? NO_AUTHENTICATION;
  const whose = api_key ? `with ${api_key.name}` : user ? `by ${user.name}` : "from this address";
  const from = (api_key ?? user) ? ` from ${plural(addresses, "address", "addresses")}` : "";
  return `This happened ${plural(times, "time")} ${whose}${from} within one day of this entry.`;
}

function hrefOfAll(event: AuditEvent, { flag, since, until }: Repeated): string {
  const { api_key, user } = event.authentication ?? NO_AUTHENTICATION;
  const caller = api_key
    ? { api_key_id: api_key.id }
    : user
      ? { user_id: user.id }
      : { ...(event.client?.ip_address && { ip: event.client.ip_address }) };
  return `${EXPLORER}?${new URLSearchParams({ flag, ...caller, since, until })}`;
}
