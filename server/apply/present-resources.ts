import type { AlertRule } from "@/lib/alerts/rules/contract";
import type { ApiKey } from "@/lib/api-keys/contract";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import type { Monitor } from "@/lib/uptime/contract";
import type { Kind, Present, References } from "@/server/apply/resource";
import { endpointKey, endpointName } from "@/server/apply/resources-of-manifest";

type Shown = Omit<Present, "kind" | "id">;

/** What the API returns of each kind, as far as it is compared. */
interface Items {
  notification_channels: NotificationChannel;
  endpoints: CertificateEndpoint;
  monitors: Monitor;
  alert_rules: AlertRule;
  api_keys: ApiKey;
}

/** The name of a referenced resource; its id if it is not known, such as one that was created a moment ago. */
function nameOf(names: ReadonlyMap<string, string>, id: string | null): string | null {
  return id === null ? null : (names.get(id) ?? id);
}

const readers: { readonly [K in Kind]: (item: Items[K], references: References) => Shown } = {
  notification_channels: ({ name, type, settings, secrets, state }) => ({
    key: name,
    name,
    fields: { type, settings, secrets: [...secrets].sort(), enabled: state !== "disabled" },
  }),
  endpoints: (item, { trustStores, agents }) => ({
    key: endpointKey(item),
    name: endpointName(item),
    fields: {
      protocol: item.protocol,
      address_mode: item.address_mode,
      interval_seconds: item.interval_seconds,
      tags: item.tags,
      expected_issuers: item.expected_issuers,
      expected_accounts: item.expected_accounts,
      pins: item.pins,
      max_lifetime_days: item.max_lifetime_days,
      owner: item.owner,
      renewal_method: item.renewal_method,
      renewal_note: item.renewal_note,
      renewal_link: item.renewal_link,
      reported: item.reported,
      agent: nameOf(agents, item.agent_id),
      trust_store: nameOf(trustStores, item.trust_store_id),
    },
  }),
  monitors: ({ id: _, name, header_names, authentication, trust_store_id, status, ...item }, { trustStores }) => {
    const { status_since, last_check, next_check_at, created_at, updated_at, ...fields } = item;
    const { type, username, certificate } = authentication;
    return {
      key: name,
      name,
      fields: {
        ...fields,
        header_names: [...header_names].sort(),
        authentication: { type, username, certificate_sha256: certificate?.sha256 ?? null },
        trust_store: nameOf(trustStores, trust_store_id),
        paused: status === "paused",
      },
    };
  },
  alert_rules: ({ id: _, name, steps, open_alerts, created_at, updated_at, ...fields }, { channels }) => ({
    key: name,
    name,
    fields: {
      ...fields,
      steps: steps.map(({ channel_ids, ...step }) => ({
        ...step,
        channels: channel_ids.map((id) => nameOf(channels, id)),
      })),
    },
  }),
  api_keys: ({ name, permission, scope, ip_whitelist, expires_at }) => ({
    key: name,
    name,
    fields: { permission, scope, ip_whitelist: [...ip_whitelist].sort(), expires_at },
  }),
};

/** An item of a list of the API as it is compared with the manifest. */
export function presentResource<K extends Kind>(kind: K, item: unknown, references: References): Present {
  const read = item as Items[K];
  return { kind, id: read.id, ...readers[kind](read, references) };
}
