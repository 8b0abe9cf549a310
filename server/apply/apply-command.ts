import { open } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { isLoopback } from "@/lib/config";
import { visible } from "@/lib/text/visible";
import { ApiClient, ApiRefusal, ApiUnreachable } from "@/server/apply/api-client";
import { countWords, planJson, planWords, stepWords } from "@/server/apply/describe-plan";
import { executePlan, type Outcome } from "@/server/apply/execute-plan";
import { type Plan, type PlanStep, plan } from "@/server/apply/plan";
import { MAX_MANIFEST_BYTES, type Manifest, readManifest, refused } from "@/server/apply/read-manifest";
import { type PresentState, readPresent } from "@/server/apply/read-present";
import { yieldsSecret } from "@/server/apply/request-body";
import { resolveReferences } from "@/server/apply/resolve-references";
import { SecretsFile } from "@/server/apply/secrets-file";
import { CliError } from "@/server/cli-error";
import { callersPath } from "@/server/commands/callers-path";
import { APPLY_USAGE } from "@/server/commands/usages";
import { INTERRUPTED_EXIT_CODE, onStopRequest } from "@/server/start/stop-requests";

/** With --dry-run: there is something to do. */
const CHANGES_EXIT_CODE = 2;

interface Options {
  file: string;
  "dry-run": boolean;
  prune: boolean;
  secrets: boolean;
  "secrets-out"?: string | undefined;
  yes: boolean;
  json: boolean;
}

/**
 * Makes an organization as a manifest says, through the API at SEALWATCH_URL with the key SEALWATCH_API_KEY. @returns the exit code:
 * 0 done or nothing to do, 2 with --dry-run if there is something to do. Throws CliError for everything that is refused.
 */
export async function runApply(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv);
  const stop = new AbortController();
  // The first Ctrl-C lets the request in progress end, so that its outcome is known; a later one ends the process.
  onStopRequest(
    () => stop.abort(),
    () => process.exit(INTERRUPTED_EXIT_CODE),
  );
  const { url, key } = readEnvironment();
  const onWait = (seconds: number, reason: string) => notify(`Waiting for ${seconds} s: ${reason}`);
  const api = new ApiClient({ url, key, signal: stop.signal, onWait });
  const manifest = readManifest(await readText(options.file), process.env);
  const state = await readPresent(api, key, manifest.managed).catch((error: unknown) => {
    throw stop.signal.aborted ? new CliError("Interrupted. Nothing was changed.") : withoutStack(error);
  });
  requireOrganization(manifest, state);
  const planned = makePlan(manifest, state, options);
  const { id, slug, name } = state.organization;
  const document = { organization: { id, slug }, plan: planJson(planned) };
  const secretive = planned.steps.filter((step) => step.act === "create" && yieldsSecret(step.wanted));
  if (!options.json) print(`${visible(name)} (${slug}) at ${url.origin}\n\n${planWords(planned, options.prune)}`);
  if (planned.steps.length === 0 || options["dry-run"]) {
    if (options.json) print(JSON.stringify(document));
    else if (secretive.length > 0) print("\nThis plan needs --secrets-out FILE.");
    return planned.steps.length === 0 ? 0 : CHANGES_EXIT_CODE;
  }
  const secretsOut = requireSecretsOut(secretive, options);
  if (!options.yes) await confirm(planned, stop);
  const outcome = await carryOut(planned, state, api, secretsOut, stop.signal);
  if (options.json) print(JSON.stringify({ ...document, ...outcomeJson(outcome) }));
  if (outcome.failed !== null) throw new CliError(failureWords(outcome));
  if (!options.json) print(`\nDone: ${outcome.done.length} of ${planned.steps.length}.`);
  return 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** For progress, so that standard output has the plan, or one JSON document. */
function notify(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function carryOut(
  { steps }: Plan,
  { references }: PresentState,
  api: ApiClient,
  secretsOut: string | null,
  signal: AbortSignal,
): Promise<Outcome> {
  const secrets = secretsOut === null ? null : new SecretsFile(secretsOut);
  try {
    return await executePlan(steps, { api, references, secrets, signal, onDone: (step) => notify(stepWords(step)) });
  } finally {
    secrets?.close();
  }
}

/** What the API says, for people; an error of ours keeps its stack. */
function withoutStack(error: unknown): unknown {
  if (error instanceof ApiUnreachable) return new CliError(`${error.message}. Nothing was changed.`);
  if (error instanceof ApiRefusal) return new CliError(`${error.message} (${error.code}) Nothing was changed.`);
  return error;
}

function parseOptions(argv: readonly string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        file: { type: "string", short: "f" },
        "dry-run": flag,
        prune: flag,
        secrets: flag,
        "secrets-out": { type: "string" },
        yes: flag,
        json: flag,
      },
    });
    const { file } = values;
    if (file === undefined) throw new Error("-f FILE is missing");
    return { ...values, file };
  } catch (error) {
    // Exit code 2 says that a dry run has found changes, so wrong usage must not have it.
    throw new CliError(`${(error as Error).message}. Usage: ${APPLY_USAGE}`);
  }
}

/** Address and key. They are not options, because other users of the machine can read those of every process. */
function readEnvironment(): { url: URL; key: string } {
  const { SEALWATCH_URL = "", SEALWATCH_API_KEY = "" } = process.env;
  if (SEALWATCH_URL === "" || SEALWATCH_API_KEY === "")
    throw new CliError("Set SEALWATCH_URL to the address of Sealwatch, and SEALWATCH_API_KEY to an API key.");
  const url = URL.canParse(SEALWATCH_URL) ? new URL(SEALWATCH_URL) : null;
  const isPlain = url?.pathname === "/" && url.search + url.username + url.password === "";
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlain)
    throw new CliError("SEALWATCH_URL must be an address such as https://sealwatch.example.com, without a path.");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new CliError("SEALWATCH_URL must begin with https://, because the API key would be sent unencrypted.");
  if (!/^[\x21-\x7e]+$/.test(SEALWATCH_API_KEY.trim())) throw new CliError("SEALWATCH_API_KEY must be an API key.");
  return { url, key: SEALWATCH_API_KEY.trim() };
}

async function readText(path: string): Promise<string> {
  const buffer = Buffer.alloc(MAX_MANIFEST_BYTES + 1);
  let size = 0;
  try {
    const file = await open(callersPath(path));
    try {
      for (let read = -1; read !== 0 && size < buffer.length; size += read) {
        read = (await file.read(buffer, size, buffer.length - size)).bytesRead;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (size > MAX_MANIFEST_BYTES) throw new CliError(`${path} is larger than ${MAX_MANIFEST_BYTES / 1024 / 1024} MiB.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, size));
  } catch {
    throw new CliError(`${path} is not UTF-8.`);
  }
}

function requireOrganization({ organization: named }: Manifest, { organization }: PresentState): void {
  if (named === null || named === organization.id || named === organization.slug) return;
  throw new CliError(
    `The manifest is for the organization ${visible(named)}, and the API key is of ${organization.slug}. Nothing was changed.`,
  );
}

function makePlan(manifest: Manifest, state: PresentState, { prune, secrets }: Options): Plan {
  const { managed, lineOf } = manifest;
  const { wanted, issues } = resolveReferences({ ...manifest, references: state.references, prune });
  const planned = plan({ ...state, wanted, managed, prune, resendSecrets: secrets });
  const all = [...issues, ...planned.issues];
  if (all.length > 0) throw refused(all, lineOf);
  return planned;
}

function requireSecretsOut(yielding: readonly PlanStep[], options: Options): string | null {
  if (yielding.length === 0) return null;
  const path = options["secrets-out"];
  if (path !== undefined) return callersPath(path);
  const names = yielding.slice(0, 5).map(({ name }) => name);
  throw new CliError(
    `This plan creates what has a secret that is shown only once (${visible(names.join(", "))}): add --secrets-out FILE. Nothing was changed.`,
  );
}

async function confirm(planned: Plan, stop: AbortController): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError("Without a terminal, --yes confirms the plan. Nothing was changed.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While it asks, the terminal's Ctrl-C is a key and not a signal.
  terminal.once("SIGINT", () => stop.abort());
  try {
    const question = `\n${countWords(planned)}. Type yes to continue: `;
    const answer = await terminal.question(question, { signal: stop.signal }).catch(() => "");
    if (answer.trim() !== "yes") throw new CliError("Not confirmed. Nothing was changed.");
  } finally {
    terminal.close();
  }
}

function outcomeJson({ done, failed, notDone }: Outcome) {
  const { act, kind, name } = failed?.step ?? {};
  const failure = failed === null ? null : { act, kind, name, reason: failed.reason };
  return { done: done.length, failed: failure, not_done: notDone.length };
}

function failureWords({ done, failed, notDone }: Outcome): string {
  const rest = notDone.slice(0, 20).map((step) => `  ${stepWords(step)}`);
  return [
    ...(failed === null ? [] : [`Stopped at: ${stepWords(failed.step)}`, `  ${visible(failed.reason)}`]),
    `${done.length} done, ${notDone.length} not begun${notDone.length > 0 ? ":" : "."}`,
    ...rest,
    ...(notDone.length > rest.length ? [`  and ${notDone.length - rest.length} more`] : []),
    "Run the command again to continue.",
  ].join("\n");
}
