import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

type Labels = Record<string, string>;
interface Named {
  name: string;
}
interface Container extends Named {
  image: string;
  args: string[];
  envFrom: { configMapRef?: Named; secretRef?: Named }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: Named[];
  [probe: string]: unknown;
}
export interface PodTemplate {
  metadata: { labels: Labels };
  spec: { containers: Container[]; volumes?: Named[] };
}

/** A resource of Kubernetes, with the fields that are read here. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Labels;
  spec: {
    replicas?: number;
    selector?: Labels & { matchLabels?: Labels };
    template?: PodTemplate;
    volumeClaimTemplates?: { metadata: Named & { labels?: Labels } }[];
    ports?: { targetPort?: string }[];
    podSelector?: { matchLabels: Labels };
    ingress?: { ports: { port: string }[] }[];
    podMetricsEndpoints?: { port: string }[];
  };
}

interface Kustomization {
  apiVersion: string;
  kind: string;
  namespace?: string;
  resources: string[];
  labels?: { pairs: Labels; includeTemplates: boolean }[];
  images?: { name: string; newName: string; newTag: string }[];
  replicas?: { name: string; count: number }[];
  patches?: { target: { kind: string; name: string }; patch: string }[];
}

/** The value at a JSON pointer's parent, and its last step. Throws if a step does not exist. */
function locate(resource: Resource, pointer: string): [parent: Record<string, unknown>, key: string] {
  const steps = pointer.split("/").slice(1);
  let parent = resource as unknown as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) parent = parent[step] as Record<string, unknown>;
  const key = steps.at(-1) ?? "";
  if (parent?.[key] === undefined) throw new Error(`${resource.kind} ${resource.metadata.name} has no ${pointer}`);
  return [parent, key];
}

/**
 * The resources of a kustomization, with what it changes: the part of Kustomize that our overlays use. Throws for any other part, for
 * patches whose target does not exist, and for names that nothing has.
 */
export function render(folder: string): Resource[] {
  const given = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")) as Kustomization;
  const {
    namespace,
    resources,
    labels = [],
    images = [],
    replicas = [],
    patches = [],
    apiVersion,
    kind,
    ...other
  } = given;
  if (Object.keys(other).length > 0) throw new Error(`${folder} uses ${Object.keys(other)}, which is not read here`);
  let found = resources.flatMap((name) => {
    const path = join(folder, name);
    if (!name.endsWith(".yaml")) return render(path);
    return parseAllDocuments(readFileSync(path, "utf8")).map((each) => each.toJS({ maxAliasCount: 0 }) as Resource);
  });
  const find = (what: string, by: (resource: Resource) => boolean) => {
    const all = found.filter(by);
    if (all.length !== 1) throw new Error(`${dirname(folder)}: ${all.length} resources are ${what}`);
    return all[0] as Resource;
  };
  for (const { target, patch } of patches) {
    const resource = find(
      `${target.kind} ${target.name}`,
      ({ kind, metadata }) => kind === target.kind && metadata.name === target.name,
    );
    const changes = parse(patch) as { op: string; path: string; value: unknown }[] | { $patch: string };
    if (!Array.isArray(changes)) {
      if (changes.$patch !== "delete") throw new Error(`${folder} has a merge patch, which is not read here`);
      found = found.filter((each) => each !== resource);
      continue;
    }
    for (const { op, path, value } of changes) {
      if (op !== "replace") throw new Error(`${folder} has a patch with ${op}, which is not read here`);
      const [parent, key] = locate(resource, path);
      parent[key] = value;
    }
  }
  for (const { name, count } of replicas)
    find(
      `${name} with replicas`,
      ({ metadata, spec }) => metadata.name === name && spec?.replicas !== undefined,
    ).spec.replicas = count;
  for (const resource of found) {
    if (namespace !== undefined) resource.metadata.namespace = namespace;
    const { template } = resource.spec ?? {};
    for (const { pairs, includeTemplates } of labels) {
      resource.metadata.labels = { ...resource.metadata.labels, ...pairs };
      if (!includeTemplates || template === undefined) continue;
      for (const { metadata } of [template, ...(resource.spec.volumeClaimTemplates ?? [])])
        metadata.labels = { ...metadata.labels, ...pairs };
    }
    for (const { name, newName, newTag } of images)
      for (const container of template?.spec.containers ?? [])
        if (container.image === name) container.image = `${newName}:${newTag}`;
  }
  return found;
}
