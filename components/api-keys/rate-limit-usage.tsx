import Link from "next/link";
import { entriesHref } from "@/components/statistics/range";
import { Time } from "@/components/time/time";
import { cx } from "@/components/ui/cx";
import { endpoints } from "@/lib/api/endpoints";
import type { ApiKeyUsage } from "@/lib/api-keys/usage-contract";
import { API_PREFIX } from "@/lib/http/endpoint";
import type { Group } from "@/lib/http/groups";
import { DAY_MS } from "@/lib/time/units";

const groupLabels: Readonly<Record<Group, string>> = {
  certificates: "Certificates",
  uptime: "Uptime",
  analytics: "Analytics",
  alerts: "Alerts",
  subdomains: "Subdomains",
  api_keys: "API keys",
  audit_logs: "Audit log",
  organizations: "Organizations",
  alert_rules: "Alert rules",
  billing: "Billing",
  notification_channels: "Notification channels",
  other: "Other routes",
};

/** The share of a limit from which a key is close to being refused. */
const TIGHT = 0.8;

/** How close the key came to its rate limits: the busiest 60 seconds of each group. */
export function RateLimitUsage({ usage }: { usage: ApiKeyUsage }) {
  const { rate_limits, api_key_id } = usage;
  return (
    <section className="min-w-0">
      <h2 className="pb-1.5 font-medium">
        Rate limits <span className="font-normal text-second">in the busiest 60 seconds</span>
      </h2>
      {rate_limits.length === 0 ? (
        <p className="border-t py-1.5 text-second">No request counted against a limit.</p>
      ) : (
        <ul className="border-t">
          {rate_limits.map(({ group, limit, used, share, day }) => (
            <li
              key={group}
              className="grid h-7 grid-cols-[minmax(0,1fr)_5.5rem_4rem] items-center gap-3 border-b pointer-coarse:h-10"
            >
              <span className="relative flex h-full min-w-0 items-center">
                <span
                  aria-hidden="true"
                  className={cx(
                    "absolute inset-y-[3px] left-0 rounded-xs",
                    share < TIGHT ? "bg-seal-wash" : "bg-warn-wash",
                  )}
                  style={{ width: `${100 * share}%` }}
                />
                <span className="relative truncate px-1.5">{groupLabels[group]}</span>
              </span>
              <Link
                prefetch={false}
                href={entriesHref(dayOf(day), { api_key_id, ...routesOf(group) })}
                className={cx("text-right tabular-nums hover:underline", share >= TIGHT && "text-warn")}
              >
                {used} of {limit}
              </Link>
              <span className="text-right text-second">
                <Time value={day} style="short" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function dayOf(day: string): { since: string; until: string } {
  return { since: day, until: new Date(Date.parse(day) + DAY_MS).toISOString() };
}

/** The filter that finds a group's requests; none for unknown routes. */
function routesOf(group: string): { route?: string } {
  const routes = new Set(endpoints.filter((each) => each.group === group).map(({ path }) => API_PREFIX + path));
  return group === "other" || routes.size === 0 ? {} : { route: [...routes].join(",") };
}
