import type { Choice, Subjects } from "@/components/alert-rules/selector-part";
import { MAX_CHOICES } from "@/components/alert-rules/words";
import { endpointName } from "@/components/certificates/inventory/names";
import { listApiKeys } from "@/lib/api-keys/list";
import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";
import { listDestinations } from "@/lib/destinations/list";
import type { Principal } from "@/lib/http/principal";
import { listNotificationChannels } from "@/lib/notification-channels/list";
import { listMonitors } from "@/lib/uptime/monitors/list-monitors";

const PAGE = { limit: MAX_CHOICES, cursor: undefined };

/** The subjects that a rule can be limited to, and the channels that it can notify: the newest of each. */
export async function readChoices(principal: Principal): Promise<{ subjects: Subjects; channels: Choice[] }> {
  const [endpoints, monitors, keys, destinations, channels] = await Promise.all([
    listCertificateEndpoints(principal, { ...PAGE, sort: "newest" }),
    listMonitors(principal, { ...PAGE, sort: "newest", status: undefined, tag: undefined }),
    listApiKeys(principal, PAGE),
    listDestinations(principal, PAGE),
    listNotificationChannels(principal, PAGE),
  ]);
  const choice = ({ id, name }: Choice): Choice => ({ id, name });
  const choices = (listed: Choice[], { nextCursor }: { nextCursor: string | null }) => ({
    listed: listed.map(choice),
    isCut: nextCursor !== null,
  });
  const named = endpoints.items.map((endpoint) => ({ id: endpoint.id, name: endpointName(endpoint) }));
  const usable = keys.items.filter(({ status }) => status !== "revoked");
  return {
    subjects: {
      endpoints: choices(named, endpoints),
      monitors: choices(monitors.items, monitors),
      "API keys": choices(usable, keys),
      destinations: choices(destinations.items, destinations),
    },
    channels: channels.items.map(choice),
  };
}
