import { flagTones } from "@/components/audit-logs/entry/flag-tones";
import { FilterValue } from "@/components/audit-logs/filters/filter-value";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { flagLabels } from "@/lib/audit-logs/flag-labels";

/** The text colour of a status code: red and amber only for requests that did not succeed. */
export function statusColour(code: number): string {
  if (code === 429) return "text-warn font-semibold";
  if (code >= 400) return "text-bad font-semibold";
  return code >= 300 ? "text-second" : "text-good";
}

export function StatusCode({ code }: { code: number | null }) {
  if (code === null) return <span className="text-third">—</span>;
  return <span className={cx("font-mono text-sm tabular-nums", statusColour(code))}>{code}</span>;
}

/** The flags of an event; each is a filter. */
export function Flags({ flags }: { flags: AuditEvent["security"]["flags"] }) {
  return (
    <span className="inline-flex max-w-full gap-1 align-bottom">
      {flags.map((flag) => (
        <FilterValue
          key={flag}
          tabIndex={-1}
          name="flag"
          value={flag}
          words={flagLabels[flag]}
          loadTitle={async () => (await import("@/components/audit-logs/entry/flag-words")).flagWords[flag]}
          className="flex!"
        >
          <Badge tone={flagTones[flag]}>{flagLabels[flag]}</Badge>
        </FilterValue>
      ))}
    </span>
  );
}

const UUID = /([0-9a-f]{6})[0-9a-f]{2}(?:-[0-9a-f]{4}){3}-[0-9a-f]{10}([0-9a-f]{2})/g;

/** The requested path with shortened IDs; the action if the event is not a request. */
export function eventTitle({ request, resource }: AuditEvent): string {
  if (request === null) return resource.action ?? "";
  return request.path.replace(/^\/api\/v\d+(?=\/)/, "").replace(UUID, "$1…$2");
}

/** The filter that finds all events of the same caller. */
export function callerFilter({ authentication }: AuditEvent): { name: string; value: string } | null {
  if (authentication === null) return null;
  const { type, api_key, user } = authentication;
  if (api_key) return { name: "api_key_id", value: api_key.id };
  return user ? { name: "user_id", value: user.id } : { name: "auth_type", value: type };
}

/** The caller in a word or two. */
export function callerName({ authentication }: AuditEvent): string {
  if (authentication === null) return "redacted";
  const { type, api_key, user } = authentication;
  return api_key?.name ?? user?.name ?? (type === "system" ? "Sealwatch" : "anonymous");
}
