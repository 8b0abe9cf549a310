"use client";

import Link from "next/link";
import { isOfOldSecret, oldSecretAdvice, oldSecretsHref } from "@/components/api-keys/old-secrets/words";
import { FactWords } from "@/components/audit-logs/entry/fact-words";
import { flagAdvice } from "@/components/audit-logs/entry/flag-advice";
import { flagTones } from "@/components/audit-logs/entry/flag-tones";
import { flagWords } from "@/components/audit-logs/entry/flag-words";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { plural } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import type { Fact } from "@/lib/audit-logs/read/context-contract";
import { NO_AUTHENTICATION } from "@/lib/audit-logs/redacted-caller";

type Repeated = Extract<Fact, { kind: "repeated" }>;

/** The meaning of an event's flags, how often each occurred around that time, advice, and other unusual facts. */
export function EventNotes({ event, facts }: { event: AuditEvent; facts: readonly Fact[] | null }) {
  const repeated = (facts ?? []).filter((fact) => fact.kind === "repeated");
  const from = (facts ?? []).find((fact) => fact.kind === "old_secret_from");
  const holds = (facts ?? []).filter((fact) => fact.kind === "on_hold" || fact.kind === "redaction_waiting");
  const others = (facts ?? []).filter(
    (fact) =>
      fact.kind !== "repeated" &&
      fact.kind !== "old_secret_from" &&
      fact.kind !== "on_hold" &&
      fact.kind !== "redaction_waiting",
  );
  const key = event.authentication?.api_key;
  if (event.security.flags.length === 0 && others.length === 0 && holds.length === 0) return null;
  return (
    <div className="grid gap-2">
      {event.security.flags.map((flag) => {
        const tone = flagTones[flag];
        const again = repeated.find((fact) => fact.flag === flag);
        return (
          <Note key={flag} tone={tone === "bad" || tone === "warn" ? tone : "seal"}>
            <strong className="mr-1 font-semibold" title={flag}>
              {flagLabels[flag]}.
            </strong>{" "}
            {flagWords[flag]} {again && `${timesWords(event, again)} `}
            {oldSecretAdvice(flag, from?.standing ?? null) ?? flagAdvice[flag]}{" "}
            {key && isOfOldSecret(flag) && (
              <>
                <Link prefetch={false} href={oldSecretsHref(key.id)} className="font-medium underline">
                  Who still uses it
                </Link>{" "}
              </>
            )}
            {again && (
              <Link prefetch={false} href={hrefOfAll(event, again)} className="font-medium underline">
                Show all
              </Link>
            )}
          </Note>
        );
      })}
      {holds.length > 0 && (
        <Note tone="seal">
          {holds.map((fact) => (
            <p key={fact.kind === "on_hold" ? fact.kind : fact.part}>
              <FactWords fact={fact} />
            </p>
          ))}
        </Note>
      )}
      {others.length > 0 && (
        <section>
          <h2 className="mt-1 mb-1 text-third text-xs">Unusual</h2>
          <ul className="grid gap-1">
            {others.map((fact) => (
              <li key={fact.kind} className="text-pretty border-strong border-l-2 pl-2.5">
                <FactWords fact={fact} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function timesWords(event: AuditEvent, { times, addresses }: Repeated): string {
  const { api_key, user } = event.authentication ?? NO_AUTHENTICATION;
  const whose = api_key ? `with ${api_key.name}` : user ? `by ${user.name}` : "from this address";
  const from = (api_key ?? user) ? ` from ${plural(addresses, "address", "addresses")}` : "";
  return `This happened ${times.toLocaleString("en-GB")} times ${whose}${from} within one day of this entry.`;
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
