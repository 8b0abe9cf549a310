import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { config } from "@/lib/config";
import { type Finding, failed, ok, skipped, warning } from "@/server/doctor/check";
import { tryListening } from "@/server/port";

const GIB = 1024 ** 3;
const FAILED_BELOW = 0.1 * GIB;
const WARNED_BELOW = GIB;
const TIMEOUT_MS = 3_000;

/** Whether DATA_DIR can be written to, and has space; also the file system that it links the embedded PostgreSQL to. */
export function checkDataDir(): Finding[] {
  const { DATA_DIR } = config();
  let folder = DATA_DIR;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const todo = `Make DATA_DIR a folder that this account can write to.`;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [failed("disk space", `${folder} cannot be written to`, todo)];
  }
  const postgres = join(DATA_DIR, "postgres");
  const found = [checkSpace(folder, "Free space, or move DATA_DIR.")];
  if (existsSync(postgres) && statSync(postgres).dev !== statSync(folder).dev)
    found.push(checkSpace(realpathSync(postgres), `Free space, or move that folder and the link ${postgres}.`));
  return found;
}

function checkSpace(folder: string, todo: string): Finding {
  const check = "disk space";
  const { bavail, bsize, blocks } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${(free / GIB).toFixed(1)} GiB of ${((blocks * bsize) / GIB).toFixed(1)} GiB are free at ${folder}`;
  if (free < FAILED_BELOW) return failed(check, message, todo);
  if (free < WARNED_BELOW) return warning(check, message, todo);
  return ok(check, message);
}

/** Whether the ports are free, or used by a running Sealwatch. */
export async function checkPorts(): Promise<Finding[]> {
  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = config();
  const found = [await checkPort("PORT", PORT, HOST)];
  if (METRICS_PORT !== undefined) found.push(await checkPort("METRICS_PORT", METRICS_PORT, METRICS_HOST));
  return found;
}

async function checkPort(setting: string, port: number, host: string): Promise<Finding> {
  const check = `port ${port}`;
  const problem = await tryListening(port, host);
  if (problem === undefined) return ok(check, `${host}:${port} is free`);
  if (problem !== "EADDRINUSE")
    return failed(check, `cannot listen on ${host}:${port} (${problem})`, `Correct ${setting} or its host.`);
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  if (await isSealwatch(`http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`))
    return ok(check, `Sealwatch answers at ${host}:${port}`);
  return failed(
    check,
    `${host}:${port} is used by another program`,
    `Stop that program, or set ${setting} to a free port.`,
  );
}

/** Whether people reach this installation at PUBLIC_URL, and whether their addresses can be known. */
export async function checkProxy(): Promise<Finding[]> {
  const check = "reverse proxy";
  const { PUBLIC_URL, PORT, TRUSTED_PROXIES } = config();
  const { protocol, hostname, port } = new URL(PUBLIC_URL);
  const isDirect = protocol === "http:" && Number(port || 80) === PORT;
  if (isDirect && TRUSTED_PROXIES.length === 0) return [skipped(check, `none: ${PUBLIC_URL} leads to PORT`)];
  const found: Finding[] = [];
  if (TRUSTED_PROXIES.length === 0)
    found.push(
      failed(
        check,
        `PUBLIC_URL ${PUBLIC_URL} leads to a proxy, and TRUSTED_PROXIES is not set: every client has its address`,
        "Set TRUSTED_PROXIES to the proxy's address as Sealwatch sees it.",
      ),
    );
  const everybody = TRUSTED_PROXIES.find(([, prefix]) => prefix === 0);
  if (everybody !== undefined)
    found.push(
      failed(
        check,
        "TRUSTED_PROXIES trusts every address: clients can claim any address",
        "List only the addresses of your proxies.",
      ),
    );
  if (protocol === "http:" && !["127.0.0.1", "localhost", "[::1]"].includes(hostname))
    found.push(
      warning(check, `${PUBLIC_URL} is not encrypted`, "Let the proxy terminate TLS, and set PUBLIC_URL to https."),
    );
  if (await isSealwatch(PUBLIC_URL)) found.push(ok(check, `Sealwatch answers at ${PUBLIC_URL}`));
  else
    found.push(
      warning(
        check,
        `Sealwatch does not answer at ${PUBLIC_URL}/healthz from here`,
        "Start Sealwatch, and check the proxy, DNS and its certificate. Another network may be needed to reach it.",
      ),
    );
  return found;
}

/** Whether a web process or the metrics listener of Sealwatch answers at this origin. */
async function isSealwatch(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual" });
    const body: unknown = await answer.json();
    return typeof body === "object" && body !== null && "status" in body;
  } catch {
    return false;
  }
}
