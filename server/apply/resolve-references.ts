import type { Kind, ManifestIssue, References, Wanted } from "@/server/apply/resource";

interface Given {
  wanted: readonly Wanted[];
  managed: ReadonlySet<Kind>;
  references: References;
  prune: boolean;
}

/** Turns ids into names, so that references compare. Issues name references to nothing, and to channels that `prune` would delete. */
export function resolveReferences({ wanted, managed, references, prune }: Given): {
  wanted: Wanted[];
  issues: ManifestIssue[];
} {
  const issues: ManifestIssue[] = [];
  const { trustStores, agents, channels } = references;
  const declared = new Set(wanted.flatMap(({ kind, name }) => (kind === "notification_channels" ? [name] : [])));
  const isPruned = prune && managed.has("notification_channels");
  const resolve = (
    path: ManifestIssue["path"],
    reference: unknown,
    names: ReadonlyMap<string, string>,
    what: string,
  ) => {
    if (typeof reference !== "string") return reference;
    const name = names.get(reference) ?? reference;
    const isKnown = new Set(names.values()).has(name) || (names === channels && declared.has(name));
    if (!isKnown) issues.push({ path, message: `is not a ${what} of the organization` });
    else if (names === channels && isPruned && !declared.has(name))
      issues.push({ path, message: "is a channel that --prune deletes, because the manifest does not declare it" });
    return name;
  };
  const resolved = wanted.map((each) => {
    const { path } = each;
    const fields: Record<string, unknown> = { ...each.fields };
    if (fields.trust_store !== undefined)
      fields.trust_store = resolve([...path, "trust_store"], fields.trust_store, trustStores, "trust store");
    if (fields.agent !== undefined) fields.agent = resolve([...path, "agent"], fields.agent, agents, "agent");
    if (each.kind === "alert_rules") {
      fields.steps = (fields.steps as { channels: string[] }[]).map((step, at) => ({
        ...step,
        channels: step.channels.map((channel, index) =>
          resolve([...path, "steps", at, "channels", index], channel, channels, "channel"),
        ),
      }));
    }
    return { ...each, fields };
  });
  return { wanted: resolved, issues };
}
