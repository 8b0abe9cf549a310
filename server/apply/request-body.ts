import type { Fields, References, Wanted } from "@/server/apply/resource";

/** Fields that show what write-only values there are, and are not sent. */
const SHOWN_ONLY = ["secrets", "header_names", "authentication"];

/** The id of a name. Throws if there is none, which the plan has excluded. */
function idOf(names: ReadonlyMap<string, string>, name: unknown): string | null {
  if (name === null) return null;
  for (const [id, each] of names) if (each === name) return id;
  throw new Error(`there is nothing with the name ${String(name)}`);
}

/** Whether creating it returns a value that is shown only once. */
export function yieldsSecret({ kind, fields }: Pick<Wanted, "kind" | "fields">): boolean {
  if (kind === "api_keys") return true;
  return (
    (kind === "notification_channels" && fields.type === "webhook") ||
    (kind === "monitors" && fields.type === "heartbeat")
  );
}

/** The body of the request that creates a resource. */
export function creationBody(wanted: Wanted, references: References): Record<string, unknown> {
  const body = { ...wanted.identity, ...bodyOf(wanted, Object.keys(wanted.fields), true, references) };
  // A channel is created enabled; it is disabled afterwards.
  if (wanted.kind === "notification_channels") delete (body as { enabled?: boolean }).enabled;
  return body;
}

/** The body of the request that changes these fields, with all write-only values if they are sent. */
export function bodyOf(
  { kind, fields, secrets }: Pick<Wanted, "kind" | "fields" | "secrets">,
  changed: readonly string[],
  sendsSecrets: boolean,
  { trustStores, agents, channels }: References,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of changed) {
    const value = fields[field];
    if (field === "trust_store") body.trust_store_id = idOf(trustStores, value);
    else if (field === "agent") body.agent_id = idOf(agents, value);
    else if (field === "steps" && kind === "alert_rules")
      body.steps = (value as Fields[]).map(withChannelIds(channels));
    else if (!SHOWN_ONLY.includes(field)) body[field] = value;
  }
  if (!sendsSecrets) return body;
  if (kind !== "notification_channels") return { ...body, ...secrets };
  return { ...body, settings: { ...(fields.settings as Fields), ...(secrets?.settings as Fields | undefined) } };
}

function withChannelIds(names: ReadonlyMap<string, string>) {
  return ({ channels, ...step }: Fields) => ({
    ...step,
    channel_ids: (channels as string[]).map((name) => idOf(names, name)),
  });
}
