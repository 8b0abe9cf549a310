import { parseArgs } from "node:util";
import { type Finding, runCheck, type Status } from "@/server/doctor/check";
import { checkDatabases } from "@/server/doctor/check-databases";
import { checkIssuer, ISSUER_CHECK } from "@/server/doctor/check-issuer";
import { checkEncryptionKey, KEY_CHECK } from "@/server/doctor/check-keys";
import { checkDataDir, checkPorts, checkProxy } from "@/server/doctor/check-machine";
import { checkMail, MAIL_CHECK } from "@/server/doctor/check-mail";
import { checkSettings } from "@/server/doctor/check-settings";
import { checkStore, STORE_CHECK } from "@/server/doctor/check-store";

interface Report {
  json: { ok: boolean; checks: Finding[] };
  text: string;
  /** 1 if a check failed. */
  exitCode: number;
}

/** More than one check of a database, each with its own limit, one after the other; in milliseconds. */
const DATABASES_LIMIT_MS = 90_000;

/** Prints what it finds. @returns the exit code: 1 if a check failed. Throws TypeError for wrong arguments. */
export async function runDoctor(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: { json: { type: "boolean", default: false } } });
  const { json, text, exitCode } = await examine();
  process.stdout.write(values.json ? `${JSON.stringify(json)}\n` : `${text}\n`);
  return exitCode;
}

/** Examines the installation without changing it: every check, whatever the others find, each bounded in time. */
async function examine(): Promise<Report> {
  const databases = runCheck("databases", checkDatabases, "See the log of PostgreSQL.", DATABASES_LIMIT_MS);
  const found = await Promise.all([
    runCheck("settings", checkSettings, "See docs/configuration.md."),
    databases,
    // After the databases, which may have few connections left.
    databases.then(() => runCheck(KEY_CHECK, checkEncryptionKey, "See the monitoring database first.")),
    runCheck(STORE_CHECK, checkStore, "Check REDIS_URL or the UPSTASH_ settings, and that the server answers."),
    runCheck(MAIL_CHECK, checkMail, "Check SMTP_URL: host, port, user and password, and that the server answers."),
    runCheck(ISSUER_CHECK, checkIssuer, "Check OIDC_ISSUER, and that this machine reaches it."),
    runCheck("reverse proxy", checkProxy, "Check PUBLIC_URL and TRUSTED_PROXIES."),
    runCheck("ports", checkPorts, "Check PORT and HOST."),
    runCheck("disk space", checkDataDir, "Check DATA_DIR."),
  ]);
  const checks = found.flat();
  const hasFailed = checks.some(({ status }) => status === "failed");
  return { json: { ok: !hasFailed, checks }, text: tableOf(checks), exitCode: hasFailed ? 1 : 0 };
}

function tableOf(checks: readonly Finding[]): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.flatMap(({ check, status, message, todo }) => [
    `${status.padEnd(8)} ${check.padEnd(width)}  ${message}`,
    ...(todo === null ? [] : [`${" ".repeat(width + 9)}  → ${todo}`]),
  ]);
  const count = (status: Status) => checks.filter((finding) => finding.status === status).length;
  const warnings = count("warning") === 1 ? "1 warning" : `${count("warning")} warnings`;
  return [...lines, "", `${count("failed")} failed, ${warnings}, ${count("ok")} ok`].join("\n");
}
