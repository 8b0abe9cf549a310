import { alertRuleInput } from "@/lib/alerts/rules/contract";
import { createApiKey } from "@/lib/api-keys/contract";
import { createCertificateEndpoint } from "@/lib/certificates/contract";
import { usualPorts } from "@/lib/certificates/targets";
import { createNotificationChannel } from "@/lib/notification-channels/contract";
import { secretFields } from "@/lib/notification-channels/providers/settings";
import { clientCertificateFaults } from "@/lib/uptime/client-certificate";
import { monitorInput } from "@/lib/uptime/fields";
import { shownAuthenticationOf } from "@/lib/uptime/secrets";
import type { Fields, Kind, ManifestIssue, Wanted } from "@/server/apply/resource";

type Item = Readonly<Record<string, unknown>>;
type Parsed = Pick<Wanted, "key" | "name" | "identity" | "fields" | "secrets">;
type Fault = ManifestIssue;

interface Schema<Output> {
  safeParse: (
    value: unknown,
  ) => { success: true; data: Output } | { success: false; error: { issues: readonly Issue[] } };
}
interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** Faults that the contract of the API finds in an item. */
class Faults extends Error {
  constructor(readonly issues: readonly Fault[]) {
    super("the item has faults");
  }
}

function judged<Output>(schema: Schema<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Faults(
    parsed.error.issues.map(({ path, message }) => ({
      path: path.map((step) => (typeof step === "number" ? step : String(step))),
      message,
    })),
  );
}

/** As JSON has it, so that it equals what the API returns. */
function asJson(fields: Record<string, unknown>): Fields {
  return JSON.parse(JSON.stringify(fields)) as Fields;
}

/** The fields that are given, which stay as they are if they are not. */
function given(item: Item, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]));
}

function without(item: Item, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** The identity of an endpoint, which is what the API keeps unique. */
export function endpointKey({
  host,
  port,
  sni,
  connect_to,
}: {
  host: string;
  port: number;
  sni: string | null;
  connect_to: string | null;
}): string {
  return JSON.stringify([host, port, sni === host ? null : sni, connect_to]);
}

/** What people call an endpoint: `shop.example.com:443`, with the server name and the address if it has them. */
export function endpointName({ host, port, sni, connect_to }: Parameters<typeof endpointKey>[0]): string {
  const more = [...(sni === null || sni === host ? [] : [sni]), ...(connect_to === null ? [] : [`at ${connect_to}`])];
  const name = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return more.length === 0 ? name : `${name} (${more.join(" ")})`;
}

function channel(item: Item): Parsed {
  const { type, name, settings } = judged(createNotificationChannel.body, without(item, "enabled"));
  const isSecret = (field: string) => secretFields[type].includes(field);
  const entries = Object.entries(settings);
  const secrets = entries.filter(([field]) => isSecret(field));
  const set = secrets.filter(([, value]) => value !== null).map(([field]) => field);
  const open = Object.fromEntries(entries.filter(([field]) => !isSecret(field)));
  return {
    key: name,
    name,
    identity: { name },
    fields: asJson({ type, settings: open, secrets: set.sort(), ...given(item, "enabled") }),
    secrets: secrets.length === 0 ? null : { settings: Object.fromEntries(secrets) },
  };
}

function endpoint(item: Item): Parsed {
  const input = judged(createCertificateEndpoint.body, without(item, "trust_store", "agent"));
  const { host, port = usualPorts[input.protocol], sni, connect_to, agent_id: _, ...fields } = input;
  const target = { host, port, sni, connect_to };
  return {
    key: endpointKey(target),
    name: endpointName(target),
    identity: target,
    fields: asJson({ ...fields, agent: item.agent ?? null, ...given(item, "trust_store") }),
    secrets: null,
  };
}

function monitor(item: Item): Parsed {
  const input = judged(monitorInput, without(item, "trust_store", "paused"));
  const { name, headers, authentication, trust_store_id: _, paused: __, ...fields } = input;
  if (authentication.type === "client_certificate") {
    const faults = clientCertificateFaults(authentication);
    if (faults.length > 0)
      throw new Faults(faults.map(({ path, message }) => ({ path: ["authentication", path], message })));
  }
  const { type, username, certificate } = shownAuthenticationOf(authentication);
  return {
    key: name,
    name,
    identity: { name },
    fields: asJson({
      ...fields,
      header_names: Object.keys(headers).sort(),
      authentication: { type, username, certificate_sha256: certificate?.sha256 ?? null },
      trust_store: item.trust_store ?? null,
      ...given(item, "paused"),
    }),
    secrets: { headers, authentication },
  };
}

interface RawStep {
  channels?: readonly string[];
}

function rule(item: Item): Parsed {
  const raw = item.steps as readonly (RawStep & Item)[];
  const {
    name,
    enabled: _,
    steps,
    ...fields
  } = judged(alertRuleInput, {
    ...without(item, "enabled"),
    steps: raw.map((step) => without(step, "channels")),
  });
  const named = steps.map(({ channel_ids: _, ...step }, at) => ({ ...step, channels: raw[at]?.channels ?? [] }));
  return {
    key: name,
    name,
    identity: { name },
    fields: asJson({ ...fields, steps: named, ...given(item, "enabled") }),
    secrets: null,
  };
}

function apiKey(item: Item): Parsed {
  const { name, ip_whitelist, ...input } = judged(createApiKey.body, { ...item, expires_at: null });
  if (input.scope !== null && input.permission !== "admin")
    throw new Faults([{ path: ["scope"], message: "needs the permission admin" }]);
  const expires = (item.expires_at ?? null) as string | null;
  return {
    key: name,
    name,
    identity: { name },
    fields: asJson({
      permission: input.permission,
      scope: input.scope,
      ip_whitelist: [...ip_whitelist].sort(),
      expires_at: expires === null ? null : new Date(expires).toISOString(),
    }),
    secrets: null,
  };
}

const readers: Readonly<Record<Kind, (item: Item) => Parsed>> = {
  notification_channels: channel,
  endpoints: endpoint,
  monitors: monitor,
  alert_rules: rule,
  api_keys: apiKey,
};

/** The resource that an item declares, judged and completed by the contract of the API, or its faults. */
export function resourceOf(kind: Kind, item: Item): Parsed | readonly Fault[] {
  try {
    return readers[kind](item);
  } catch (error) {
    if (error instanceof Faults) return error.issues;
    throw error;
  }
}
