import { isDeepStrictEqual } from "node:util";
import { type Answered, type ApiClient, ApiRefusal, ApiUnreachable } from "@/server/apply/api-client";
import type { PlanStep } from "@/server/apply/plan";
import { presentResource } from "@/server/apply/present-resources";
import { bodyOf, creationBody, yieldsSecret } from "@/server/apply/request-body";
import { kindLabels, kindPaths, type References } from "@/server/apply/resource";
import type { SecretsFile } from "@/server/apply/secrets-file";

/** Resources that one bulk request creates: with the largest bodies and certificates they are below 10 MiB. */
const BULK_SIZE = 100;
const bulkPaths = { endpoints: "/certificates/endpoints/bulk", monitors: "/uptime/bulk" } as const;
type Create = Extract<PlanStep, { act: "create" }>;
type Change = Extract<PlanStep, { act: "change" }>;
type Delete = Extract<PlanStep, { act: "delete" }>;

export interface Outcome {
  done: readonly PlanStep[];
  /** The step at which it stopped; null if all is done. */
  failed: { step: PlanStep; reason: string } | null;
  notDone: readonly PlanStep[];
}

interface Context {
  api: ApiClient;
  references: References;
  /** Where secrets go; null if no step returns one. */
  secrets: SecretsFile | null;
  onDone: (step: PlanStep) => void;
  signal: AbortSignal;
}

/** A step that was refused, with the reason for people. */
class StepFailed extends Error {
  constructor(
    readonly step: PlanStep,
    message: string,
  ) {
    super(message);
  }
}

/** Does the steps one after the other, and stops at the first that fails. Everything before it stays done. */
export async function executePlan(steps: readonly PlanStep[], context: Context): Promise<Outcome> {
  const channels = new Map(context.references.channels);
  const own = { ...context, references: { ...context.references, channels } };
  const done: PlanStep[] = [];
  const finish = (step: PlanStep) => {
    done.push(step);
    context.onDone(step);
  };
  const stopped = (failed: Outcome["failed"]): Outcome => {
    const isDone = new Set(done);
    return { done, failed, notDone: steps.filter((step) => !isDone.has(step) && step !== failed?.step) };
  };
  for (const batch of batches(steps)) {
    const [first] = batch;
    if (first === undefined) continue;
    if (context.signal.aborted) return stopped({ step: first, reason: "It was interrupted." });
    try {
      if (batch.length > 1) await createMany(batch as Create[], own, finish);
      else {
        await doOne(first, own, channels);
        finish(first);
      }
    } catch (error) {
      if (error instanceof StepFailed) return stopped({ step: error.step, reason: error.message });
      return stopped({ step: first, reason: reasonOf(error, context.signal) + adviceOn(error, first, steps) });
    }
  }
  return { done, failed: null, notDone: [] };
}

/** Runs of creations that one request can do, and all other steps alone. */
function batches(steps: readonly PlanStep[]): PlanStep[][] {
  const runs: PlanStep[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    const isTogether = last?.[0] !== undefined && last.length < BULK_SIZE && isBulk(step) && isBulk(last[0]);
    if (isTogether && last?.[0]?.kind === step.kind) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

/** A heartbeat is created alone: a bulk request returns no URL. */
function isBulk(step: PlanStep): step is Create {
  return step.act === "create" && step.kind in bulkPaths && !yieldsSecret(step.wanted);
}

async function createMany(
  batch: readonly Create[],
  { api, references }: Context,
  finish: (step: PlanStep) => void,
): Promise<void> {
  const [{ kind } = { kind: "endpoints" }] = batch;
  const items = batch.map(({ wanted }) => creationBody(wanted, references));
  const { data } = await api.post(bulkPaths[kind as keyof typeof bulkPaths], { items });
  const failures: StepFailed[] = [];
  for (const { index, error } of data.results as { index: number; error: string | null }[]) {
    const step = batch[index];
    if (step === undefined) continue;
    if (error === null) finish(step);
    else failures.push(new StepFailed(step, error));
  }
  if (failures[0] !== undefined) throw failures[0];
}

async function doOne(step: PlanStep, context: Context, channels: Map<string, string>): Promise<void> {
  if (step.act === "delete") return deleteOne(step, context);
  if (step.act === "change") return changeOne(step, context);
  const { data } = await createOne(step, context);
  if (step.kind === "notification_channels") channels.set(String(data.id), step.name);
}

async function createOne(step: Create, { api, references, secrets }: Context): Promise<Answered> {
  const { kind, wanted, name } = step;
  const label = { kind: kindLabels[kind], name };
  const isSecret = yieldsSecret(wanted);
  // If this process ends before the response, the file names what may exist without its secret.
  if (isSecret) secrets?.write({ ...label, requested: true });
  const made = await api.post(kindPaths[kind], creationBody(wanted, references));
  const path = `${kindPaths[kind]}/${String(made.data.id)}`;
  if (isSecret) {
    const value = await secretOf(step, made, path, api);
    try {
      secrets?.write({ ...label, id: made.data.id, ...value });
    } catch (error) {
      throw new Error(`It exists now, but its secret could not be written: ${(error as Error).message}. Rotate it.`);
    }
  }
  if (kind === "notification_channels" && wanted.fields.enabled === false)
    return api.put(path, { enabled: false }, made.etag ?? "*");
  return made;
}

/** The secret in the response; a new one if the response to a repeated request leaves it out. */
async function secretOf(
  { kind }: Create,
  { data }: Answered,
  path: string,
  api: ApiClient,
): Promise<Record<string, unknown>> {
  const [field, rotation] =
    kind === "api_keys"
      ? ["secret", "rotate"]
      : kind === "monitors"
        ? ["heartbeat_url", "rotate-url"]
        : ["signing_secret", "rotate-secret"];
  const shown = data[field] ?? (await api.post(`${path}/${rotation}`, {})).data[field];
  if (typeof shown !== "string") throw new Error("It exists now, but its secret was not returned. Rotate it.");
  return { [field]: shown };
}

async function changeOne(step: Change, { api, references }: Context): Promise<void> {
  const { wanted, changes, sendsSecrets } = step;
  const etag = await versionOf(step, api, references);
  const fields = [...new Set(changes.map(({ field }) => field.split(".")[0] ?? field))];
  const path = `${kindPaths[step.kind]}/${step.present.id}`;
  await api.put(path, bodyOf(wanted, fields, sendsSecrets, references), etag);
}

async function deleteOne(step: Delete, { api, references }: Context): Promise<void> {
  const etag = await versionOf(step, api, references);
  await api.delete(`${kindPaths[step.kind]}/${step.present.id}`, etag);
}

/** The version to change, if it is the one that the plan shows. */
async function versionOf({ kind, present }: Change | Delete, api: ApiClient, references: References): Promise<string> {
  const { data, etag } = await api.get(`${kindPaths[kind]}/${present.id}`);
  const now = presentResource(kind, data, references);
  if (isDeepStrictEqual([now.key, now.fields], [present.key, present.fields])) return etag ?? "*";
  throw new Error("It has changed since the plan was made. Run the command again.");
}

/** What to do where the organization's plan has no room for new resources alongside those that are deleted after them. */
function adviceOn(error: unknown, { kind }: PlanStep, steps: readonly PlanStep[]): string {
  const isFull = error instanceof ApiRefusal && error.code === "PLAN_LIMIT_REACHED";
  if (!isFull || !steps.some((step) => step.act === "delete" && step.kind === kind)) return "";
  return ` New resources are created before others are deleted: first delete a ${kindLabels[kind]} that the manifest does not have.`;
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ApiRefusal) return `${error.message} (${error.code})`;
  if (error instanceof ApiUnreachable)
    return `${error.message}. Whether it was done is unknown; the next run finds out.`;
  if (signal.aborted) return "It was interrupted.";
  return (error as Error).message;
}
