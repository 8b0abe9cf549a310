import { parseArgs } from "node:util";
import { Unconfirmed } from "@/lib/audit-logs/sign/confirm-checkpoint";
import { setDefaultPurpose } from "@/lib/db/purposes";
import { isUnavailable } from "@/lib/db/unavailable";
import { CliError } from "@/server/cli-error";
import { commands, usage } from "@/server/commands";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";
import { isRefusal } from "@/server/web/refusal";

/** Commands that need no databases, or must not migrate them, each with packages of its own: loaded only to be run. */
const apart = {
  apply: async () => (await import("@/server/apply/apply-command")).runApply,
  backup: async () => (await import("@/server/backup/backup-commands")).runBackup,
  restore: async () => (await import("@/server/backup/backup-commands")).runRestore,
};

/** Runs one operator command. Exit codes: 0 success, 1 refused, failed or (doctor) a failed check, 2 wrong usage (`apply` has its own). */
async function main(argv: string[]): Promise<number> {
  if (argv[0] !== undefined && Object.hasOwn(apart, argv[0]) && !argv.includes("--help")) {
    const run = await apart[argv[0] as keyof typeof apart]();
    return run(argv.slice(1));
  }
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      name: { type: "string" },
      org: { type: "string" },
      permission: { type: "string" },
      ip: { type: "string", multiple: true },
      "expires-at": { type: "string" },
      scope: { type: "string" },
      plan: { type: "string" },
      email: { type: "string" },
      subject: { type: "string" },
      reason: { type: "string" },
      confirm: { type: "string" },
      day: { type: "string" },
    },
  });
  const [noun = "", verb = "", ...rest] = positionals;
  // It must neither need the databases nor migrate them.
  if (noun === "doctor" && positionals.length === 1 && !values.help) {
    const { doctor } = await import("@/server/doctor/doctor");
    const { json, text, exitCode } = await doctor();
    process.stdout.write(values.json ? `${JSON.stringify(json)}\n` : `${text}\n`);
    return exitCode;
  }
  const command = commands[`${noun} ${verb}`];
  if (values.help || command === undefined) {
    process.stderr.write(usage());
    return values.help ? 0 : 2;
  }
  const answer = await withDatabases(async () => {
    try {
      return await command.run(values, rest);
    } finally {
      await closeDatabases();
    }
  });
  process.stdout.write(values.json ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`);
  return 0;
}

setDefaultPurpose("job");
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const refused =
    error instanceof CliError ||
    error instanceof Unconfirmed ||
    isRefusal(error) ||
    (error instanceof Error && error.name === "ApiError");
  const misused = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  const { message, stack } = error as Error;
  const away = !refused && isUnavailable(error) ? `A database is unavailable: ${message}` : undefined;
  process.stderr.write(`${away ?? (refused || misused ? message : stack)}\n`);
  process.exitCode = misused ? 2 : 1;
}
process.exit();
