import Link from "next/link";
import { flagWords } from "@/components/audit-logs/flag-words";
import { Note } from "@/components/ui/note";
import { plural } from "@/components/ui/time-format";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { type Flag, refusals } from "@/lib/audit-logs/flags";
import { getAuditStats } from "@/lib/audit-logs/stats";
import type { Principal } from "@/lib/auth/principal";

const DAY_MS = 86_400_000;

/** What an event's flags mean, how often the same happened of late, and what to do next. */
export async function EventNotes({ principal, event }: { principal: Principal; event: AuditEvent }) {
  if (event.security.flags.length === 0) return null;
  return (
    <div className="grid gap-2 px-4 pb-4 sm:px-5">
      {event.security.flags.map((flag) => (
        <FlagNote key={flag} principal={principal} event={event} flag={flag} />
      ))}
    </div>
  );
}

async function FlagNote({ principal, event, flag }: { principal: Principal; event: AuditEvent; flag: Flag }) {
  const { tone, says, advice } = flagWords[flag];
  const others = refusals.includes(flag) ? await sameOfLate(principal, event, flag) : null;
  return (
    <Note tone={tone === "bad" || tone === "warn" ? tone : "seal"}>
      <strong className="mr-1 font-mono font-semibold text-sm">{flag}</strong> {says} {others && `${others.words} `}
      {advice}{" "}
      {others && (
        <Link href={others.href} className="font-medium underline">
          Show all of them
        </Link>
      )}
    </Note>
  );
}

/** How often the same caller was refused for the same reason in the last day; null when this was the only time. */
async function sameOfLate(principal: Principal, event: AuditEvent, flag: Flag) {
  const { api_key } = event.authentication;
  const { ip_address } = event.client;
  const caller = api_key
    ? { api_key_id: { include: [api_key.id], exclude: [] } }
    : { ...(ip_address && { ip: { include: [ip_address], exclude: [] } }) };
  const stats = await getAuditStats(principal, {
    interval: "hour",
    since: Date.now() - DAY_MS,
    flag: { include: [flag], exclude: [] },
    ...caller,
  });
  const { requests, unique_ips } = stats.totals;
  if (requests < 2) return null;
  const query = new URLSearchParams({
    flag,
    ...(api_key ? { api_key_id: api_key.id } : ip_address ? { ip: ip_address } : {}),
  });
  const whose = api_key ? `with ${api_key.name}` : "from this address";
  const from = api_key ? ` from ${plural(unique_ips, "address", "addresses")}` : "";
  return {
    words: `It happened ${plural(requests, "time")} ${whose}${from} in the last 24 hours.`,
    href: `/audit-logs?${query}`,
  };
}
