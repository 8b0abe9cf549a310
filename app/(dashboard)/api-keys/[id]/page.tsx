import type { Metadata } from "next";
import { Notifications } from "@/components/alert-rules/notifications";
import { KeyActions } from "@/components/api-keys/key-actions";
import { KeyFacts } from "@/components/api-keys/key-facts";
import { KeyRisks } from "@/components/api-keys/key-risks";
import { KeyUsage } from "@/components/api-keys/key-usage";
import { ResourceHistory } from "@/components/audit-logs/changes/resource-history";
import { type SearchParams, single } from "@/components/layout/search-params";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { RowsSkeleton, Section } from "@/components/states/section";
import { presets, readRange } from "@/components/statistics/range";
import { RangeLinks } from "@/components/statistics/range-links";
import { StatisticsSkeleton } from "@/components/statistics/skeleton";
import { PageHeader } from "@/components/ui/page-header";
import { getApiKey } from "@/lib/api-keys/get";
import { USAGE_DAYS } from "@/lib/api-keys/usage-contract";
import { requirePrincipal } from "@/lib/auth/session";
import { DAY_MS } from "@/lib/time/units";

export const metadata: Metadata = { title: "API key" };

/** Usage is counted by whole UTC days. */
const ranges = presets.filter(({ ms }) => ms > DAY_MS);

export default async function ApiKeyPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}) {
  const principal = await requirePrincipal();
  const key = await orNotFound(params, (id) => getApiKey(principal, { id }));
  const { preset } = readRange(await single(searchParams), Date.now(), "30d");
  const chosen = ranges.find(({ value }) => value === preset);
  const days = (chosen?.ms ?? USAGE_DAYS * DAY_MS) / DAY_MS;
  return (
    <>
      <PageHeader
        back={{ href: "/api-keys", label: "API keys" }}
        title={key.name}
        actions={<KeyActions apiKey={key} reason={readOnlyReason(principal.permission)} />}
      />
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 px-4 pt-2 pb-7 sm:px-5 lg:grid-cols-[24rem_minmax(0,1fr)]">
        <KeyFacts apiKey={key} />
        <KeyRisks apiKey={key} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pb-3 sm:px-5">
        <h2 className="font-medium text-lg">Usage</h2>
        <RangeLinks path={`/api-keys/${key.id}`} choices={ranges} chosen={chosen?.value ?? "30d"} />
      </div>
      <Section key={days} what="The usage of the key" fallback={<StatisticsSkeleton />}>
        <KeyUsage principal={principal} id={key.id} days={days} />
      </Section>
      <Section what="The notifications" fallback={<RowsSkeleton what="notifications" rows={3} />}>
        <Notifications principal={principal} type="api_key" id={key.id} />
      </Section>
      <ResourceHistory principal={principal} type="api_key" id={key.id} />
    </>
  );
}
