import { createHash } from "node:crypto";
import type { Agent } from "@/lib/certificates/agents/agent-contract";
import type { ApiClient } from "@/server/apply/api-client";
import { presentResource } from "@/server/apply/present-resources";
import { type Kind, kindPaths, kinds, type Present, type References } from "@/server/apply/resource";

interface Named {
  id: string;
  name: string;
}

interface KeyItem extends Named {
  status: string;
}

export interface Organization {
  id: string;
  slug: string;
  name: string;
}

export interface PresentState {
  organization: Organization;
  present: readonly Present[];
  references: References;
  /** The API key of this run. */
  ownKeyId: string | null;
}

/** Reads what the organization of the key has of the managed kinds. Throws ApiRefusal, ApiUnreachable. */
export async function readPresent(api: ApiClient, key: string, managed: ReadonlySet<Kind>): Promise<PresentState> {
  const [organization] = (await api.list("/organizations")) as Organization[];
  if (organization === undefined) throw new Error("an API key has an organization");
  const needs = (...any: Kind[]) => any.some((kind) => managed.has(kind));
  const list = async <Item>(isNeeded: boolean, path: string) => (isNeeded ? await api.list(path) : []) as Item[];
  const needsChannels = needs("notification_channels", "alert_rules");
  const channels = await list<Named>(needsChannels, kindPaths.notification_channels);
  const agents = await list<Agent>(needs("endpoints", "api_keys"), "/certificates/agents");
  const trustStores = await list<Named>(needs("endpoints", "monitors"), "/certificates/trust-stores");
  const references = { channels: namesOf(channels), agents: namesOf(agents), trustStores: namesOf(trustStores) };
  const present: Present[] = [];
  for (const kind of kinds) {
    if (!managed.has(kind)) continue;
    const items = kind === "notification_channels" ? channels : await api.list(kindPaths[kind]);
    const kept = kind === "api_keys" ? withoutForeignKeys(items as KeyItem[], agents) : items;
    for (const item of kept) present.push(presentResource(kind, item, references));
  }
  return { organization, present, references, ownKeyId: await ownKeyOf(api, key, managed) };
}

/** Revoked keys cannot be changed, and an agent's key belongs to its agent. */
function withoutForeignKeys(keys: readonly KeyItem[], agents: readonly Agent[]): KeyItem[] {
  const ofAgents = new Set(agents.map(({ api_key_id }) => api_key_id));
  return keys.filter(({ id, status }) => status !== "revoked" && !ofAgents.has(id));
}

async function ownKeyOf(api: ApiClient, key: string, managed: ReadonlySet<Kind>): Promise<string | null> {
  if (!managed.has("api_keys")) return null;
  const sha256 = createHash("sha256").update(key).digest("hex");
  const { data } = await api.get(`/api-keys/identify?secret_sha256=${sha256}`);
  const { match } = data as { match: { api_key: Named } | null };
  return match?.api_key.id ?? null;
}

function namesOf(items: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, name }) => [id, name]));
}
