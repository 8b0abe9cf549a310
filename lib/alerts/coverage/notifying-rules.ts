import { rulesAbout } from "@/lib/alert-selectors/covering-selector";
import type { Selector } from "@/lib/alert-selectors/selector";
import { readEnabledChannels } from "@/lib/alerts/coverage/get-coverage";
import { channelsOf } from "@/lib/alerts/evaluation/notifications";
import { toRule } from "@/lib/alerts/rules/alert-rule";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** What an enabled rule selects, and the names of the channels that it notifies. */
export interface NotifyingRule {
  selector: Selector;
  channels: string[];
}

/** The enabled rules about problems of endpoints. */
export async function endpointNotifyingRules({ organizationId }: Principal): Promise<NotifyingRule[]> {
  const [rows, channels] = await Promise.all([
    db().alertRule.findMany({ where: rulesAbout(organizationId, "endpoint") }),
    readEnabledChannels(organizationId),
  ]);
  return rows.map(toRule).map(({ selector, steps }) => ({
    selector,
    channels: channelsOf(steps, { step: steps.length }, channels).map(({ name }) => name),
  }));
}
