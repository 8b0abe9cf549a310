import type { ReactNode } from "react";
import { AddressesTable } from "@/components/api-keys/old-secrets/addresses-table";
import { TriedSecrets } from "@/components/api-keys/old-secrets/tried-secrets";
import { useSentence } from "@/components/api-keys/old-secrets/words";
import { Bars } from "@/components/charts/bars";
import { Breakdown } from "@/components/statistics/breakdown";
import { countryName } from "@/components/statistics/countries";
import { entriesHref } from "@/components/statistics/range";
import { Ago, Time } from "@/components/time/time";
import { dayName } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import type { ApiKey } from "@/lib/api-keys/contract";
import type { OldSecretUse } from "@/lib/api-keys/old-secrets/contract";
import { isStranger } from "@/lib/audit-logs/standing";
import { formatCount, plural } from "@/lib/text/counts";

/** Who tried a key's old secrets: unrecognized addresses, the key's own addresses, and what was tried when. */
export function OldSecretUseView({ use, apiKey }: { use: OldSecretUse; apiKey: ApiKey }) {
  const { handled, addresses, first_attempt_at, last_attempt_at } = use;
  const strangers = addresses.filter(({ standing }) => isStranger(standing));
  const own = addresses.filter(({ standing }) => !isStranger(standing));
  const isLeak = use.state === "open" && strangers.length > 0;
  const entries = (filters: Record<string, string> = {}) =>
    entriesHref(use, { api_key_id: use.api_key_id, status: "4xx", ...filters });
  const isRevoked = apiKey.status === "revoked";
  return (
    <>
      <div className="grid gap-2 px-4 pb-5 sm:px-5">
        <Note tone={isLeak ? "bad" : use.state === "open" ? "warn" : "seal"}>
          {useSentence(use, apiKey.name, isRevoked)}
          {first_attempt_at !== null && last_attempt_at !== null && (
            <>
              {" "}
              First <Time value={first_attempt_at} />, last <Ago value={last_attempt_at} />.
            </>
          )}
        </Note>
        {use.secrets.length > 0 && <TriedSecrets secrets={use.secrets} />}
        {handled !== null && (
          <p className="text-second">
            Handled by <span className="text-ink">{handled.by.name}</span> <Ago value={handled.at} />
            {handled.note !== null && <>: “{handled.note}”</>}
          </p>
        )}
      </div>
      {use.state !== "none" && (
        <>
          {strangers.length > 0 && (
            <Group
              title="Unrecognized addresses"
              count={use.stranger_count}
              listed={strangers.length}
              advice="These addresses never used the key successfully, or began to in the 7 days before its secret was replaced. Unless you recognize them, the secret has leaked: give the key a whitelist, check what they read while the secret worked, and report them to the operator of their network."
            >
              <AddressesTable label="Unrecognized addresses" use={use} addresses={strangers} />
            </Group>
          )}
          {own.length > 0 && (
            <Group
              title="Your own addresses"
              count={use.address_count - use.stranger_count}
              listed={own.length}
              advice={`These addresses used the key before. ${isRevoked ? "Remove the key there." : "Deploy the new secret there."}`}
            >
              <AddressesTable label="Your own addresses" use={use} addresses={own} />
            </Group>
          )}
          {use.series.length > 1 && (
            <section className="px-4 pt-2 pb-7 sm:px-5">
              <h2 className="pb-2 font-medium text-lg">Attempts by day</h2>
              <Bars
                label="Attempts by day"
                of="attempt"
                by="Day (UTC)"
                bars={use.series.map(({ start, attempts, by_strangers }) => ({
                  name: dayName(start),
                  value: attempts,
                  more: `${formatCount(by_strangers)} from unrecognized addresses`,
                }))}
              />
            </section>
          )}
          <div className="grid gap-x-10 gap-y-8 px-4 sm:px-5 lg:grid-cols-2">
            <Breakdown
              title="Requests"
              of="Request"
              total={use.attempts}
              counts={use.requests.map(({ method, path, attempts }) => ({
                value: `${method} ${path}`,
                label: `${method} ${path.replace(/^\/api\/v1/, "")}`,
                requests: attempts,
              }))}
              hrefOf={(value) => entries({ path: value.slice(value.indexOf(" ") + 1) })}
            />
            <div className="grid content-start gap-8">
              <Breakdown
                title="User agents"
                of="User agent"
                total={use.attempts}
                counts={use.user_agents.map(({ user_agent, attempts }) => ({
                  value: user_agent ?? "",
                  label: user_agent ?? "none",
                  requests: attempts,
                }))}
                hrefOf={(value) => (value === "" ? null : entries({ q: value.slice(0, 200) }))}
              />
              <Breakdown
                title="Countries"
                of="Country"
                mono={false}
                total={use.attempts}
                counts={use.countries.map(({ country, attempts }) => ({
                  value: country ?? "",
                  label: country === null ? "unknown" : countryName(country),
                  requests: attempts,
                }))}
                hrefOf={(value) => (value === "" ? null : entries({ country: value }))}
              />
            </div>
          </div>
        </>
      )}
      <p className="px-4 pt-6 text-second text-sm sm:px-5">
        {use.has_earlier && (
          <>
            There are too many attempts, or too many other requests, to count all: only those since{" "}
            <Time value={use.since} /> are included.{" "}
          </>
        )}
        Counted from the audit log, at most 90 days. Includes attempts that the whitelist, the expiration or a rate
        limit refused first.
      </p>
    </>
  );
}

function Group({
  title,
  count,
  listed,
  advice,
  children,
}: {
  title: string;
  count: number;
  listed: number;
  advice: string;
  children: ReactNode;
}) {
  return (
    <section className="pb-6">
      <div className="px-4 pb-2 sm:px-5">
        <h2 className="font-medium text-lg">
          {title} <span className="font-normal text-second">{formatCount(count)}</span>
        </h2>
        <p className="max-w-prose text-pretty text-second">{advice}</p>
      </div>
      {children}
      {listed < count && (
        <p className="px-4 pt-2 text-second sm:px-5">and {plural(count - listed, "more address", "more addresses")}</p>
      )}
    </section>
  );
}
