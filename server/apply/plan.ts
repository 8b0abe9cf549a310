import { isDeepStrictEqual } from "node:util";
import { type Fields, type Kind, kinds, type ManifestIssue, type Present, type Wanted } from "@/server/apply/resource";

/** One field that differs, by its dotted path. */
interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

export type PlanStep =
  | { act: "create"; kind: Kind; name: string; wanted: Wanted }
  | {
      act: "change";
      kind: Kind;
      name: string;
      wanted: Wanted;
      present: Present;
      changes: readonly FieldChange[];
      /** Whether write-only values are sent too. */
      sendsSecrets: boolean;
    }
  | { act: "delete"; kind: Kind; name: string; present: Present };

export interface Plan {
  /** In the order in which they are done. */
  steps: readonly PlanStep[];
  unchanged: number;
  /** Resources of managed kinds that the manifest does not declare and that are kept. */
  kept: readonly Present[];
  /** Why the manifest cannot be applied. */
  issues: readonly ManifestIssue[];
}

interface Input {
  wanted: readonly Wanted[];
  /** The kinds whose list the manifest has. */
  managed: ReadonlySet<Kind>;
  present: readonly Present[];
  /** Delete resources of managed kinds that the manifest does not declare. */
  prune: boolean;
  /** Send every write-only value again. */
  resendSecrets: boolean;
  /** The API key of this run, which is changed last and never deleted. */
  ownKeyId: string | null;
}

/** Fields that the API cannot change. */
const fixedFields: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  notification_channels: ["type"],
  monitors: ["type"],
};

/** Fields whose change needs the write-only values again: those values themselves, and where they are sent. */
const secretTriggers: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  notification_channels: ["settings", "secrets"],
  monitors: ["target", "header_names", "authentication"],
};

/** A rule names channels, so channels are deleted after rules. */
const deletionOrder: readonly Kind[] = ["alert_rules", "notification_channels", "monitors", "endpoints", "api_keys"];

const identityOf = ({ kind, key }: Pick<Present, "kind" | "key">) => `${kind} ${key}`;

/** What makes `present` as `wanted` says. Deletes nothing unless `prune` is set, and nothing of a kind that is not managed. */
export function plan({ wanted, managed, present, prune, resendSecrets, ownKeyId }: Input): Plan {
  const byIdentity = new Map<string, Present[]>();
  for (const each of present) {
    const same = byIdentity.get(identityOf(each));
    if (same === undefined) byIdentity.set(identityOf(each), [each]);
    else same.push(each);
  }
  const declared = new Set(wanted.map(identityOf));
  const extra = present.filter((each) => managed.has(each.kind) && !declared.has(identityOf(each)));
  const deleted = prune ? extra.filter(({ id }) => id !== ownKeyId) : [];
  const issues: ManifestIssue[] = [];
  const steps: PlanStep[] = [];
  let unchanged = 0;
  for (const each of wanted) {
    const { kind, name, path } = each;
    const [found, other] = byIdentity.get(identityOf(each)) ?? [];
    if (found === undefined) {
      steps.push({ act: "create", kind, name, wanted: each });
      continue;
    }
    if (other !== undefined) {
      issues.push({ path, message: "matches several that exist: rename or revoke the others" });
      continue;
    }
    const changed = Object.keys(each.fields).filter((f) => !isDeepStrictEqual(each.fields[f], found.fields[f]));
    const fixed = changed.find((field) => fixedFields[kind]?.includes(field));
    if (fixed !== undefined) {
      const message = `is ${String(found.fields[fixed])} in the organization and cannot be changed: delete it there first, or use another name`;
      issues.push({ path: [...path, fixed], message });
      continue;
    }
    const hasSecrets = each.secrets !== null && hasSecret(each.fields);
    const isResent = resendSecrets && hasSecrets;
    if (changed.length === 0 && !isResent) {
      unchanged++;
      continue;
    }
    const changes = changed.flatMap((field) => changesOf(field, found.fields[field], each.fields[field]));
    const sendsSecrets = isResent || changed.some((field) => secretTriggers[kind]?.includes(field));
    steps.push({ act: "change", kind, name, wanted: each, present: found, changes, sendsSecrets });
  }
  const isOwn = (step: PlanStep) => step.act === "change" && step.present.id === ownKeyId;
  const rank = (step: PlanStep) => kinds.indexOf(step.kind) + (isOwn(step) ? kinds.length : 0);
  const last = (kind: Kind) => deletionOrder.indexOf(kind);
  const deletions = deleted.map(
    (each): PlanStep => ({ act: "delete", kind: each.kind, name: each.name, present: each }),
  );
  const creations = steps.filter((step) => !isOwn(step)).sort((a, b) => rank(a) - rank(b));
  return {
    steps: [...creations, ...deletions.sort((a, b) => last(a.kind) - last(b.kind)), ...steps.filter(isOwn)],
    unchanged,
    kept: extra.filter((each) => !deleted.includes(each)),
    issues,
  };
}

/** Whether a resource has write-only values, as far as the API shows. */
function hasSecret({ secrets, header_names, authentication }: Fields): boolean {
  const how = authentication as { type: string } | undefined;
  const names = [secrets, header_names].flatMap((list) => (Array.isArray(list) ? list : []));
  return names.length > 0 || (how !== undefined && how.type !== "none");
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields within two values that differ. */
function changesOf(field: string, before: unknown, after: unknown): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ field, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    changesOf(`${field}.${name}`, before[name], after[name]),
  );
}
