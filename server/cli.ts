// First: see there.
import "@/server/doctor/settings-problems";

import { parseArgs } from "node:util";
import { Unconfirmed } from "@/lib/audit-logs/sign/confirm-checkpoint";
import { setDefaultPurpose } from "@/lib/db/purposes";
import { isUnavailable } from "@/lib/db/unavailable";
import { runApply } from "@/server/apply/apply-command";
import { runBackup, runRestore } from "@/server/backup/backup-commands";
import { CliError } from "@/server/cli-error";
import { commands, usage } from "@/server/commands";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";
import { doctor } from "@/server/doctor/doctor";
import { isRefusal } from "@/server/web/refusal";

/** Runs one operator command. Exit codes: 0 success, 1 refused, failed or (doctor) a failed check, 2 wrong usage (`apply` has its own). */
async function main(argv: string[]): Promise<number> {
  // Needs no database: it is a client of the API, which may be elsewhere.
  if (argv[0] === "apply" && !argv.includes("--help")) return runApply(argv.slice(1));
  // They must not migrate the databases either.
  if (argv[0] === "backup" && !argv.includes("--help")) return runBackup(argv.slice(1));
  if (argv[0] === "restore" && !argv.includes("--help")) return runRestore(argv.slice(1));
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
