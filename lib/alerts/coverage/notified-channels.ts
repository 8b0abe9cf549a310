import { readEnabledChannels } from "@/lib/alerts/coverage/get-coverage";
import { channelsOf } from "@/lib/alerts/evaluation/notifications";
import { toRule } from "@/lib/alerts/rules/alert-rule";
import { covers } from "@/lib/alerts/rules/covers";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** The names of the channels that the enabled rules notify of each endpoint's problems, by the endpoint's id. */
export async function notifiedChannels(
  { organizationId }: Principal,
  endpoints: readonly Pick<CertificateEndpoint, "id" | "tags" | "certificate">[],
): Promise<Map<string, string[]>> {
  const [rows, channels] = await Promise.all([
    db().alertRule.findMany({ where: { organizationId, enabled: true } }),
    readEnabledChannels(organizationId),
  ]);
  const rules = rows.map(toRule).map((rule) => ({
    rule,
    names: channelsOf(rule.steps, { step: rule.steps.length }, channels).map(({ name }) => name),
  }));
  return new Map(
    endpoints.map(({ id, tags, certificate }) => {
      const ids = certificate === null ? [id] : [id, certificate.id];
      const mine = rules.filter(({ rule }) => covers(rule, { type: "endpoint", ids, tags }));
      return [id, [...new Set(mine.flatMap(({ names }) => names))]];
    }),
  );
}
