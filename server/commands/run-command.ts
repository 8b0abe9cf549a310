import { Unconfirmed } from "@/lib/audit-logs/sign/confirm-checkpoint";
import { connectAsJob } from "@/lib/db/purposes";
import { isUnavailable } from "@/lib/db/unavailable";
import { isApiError } from "@/lib/http/errors";
import { CliError, UsageError } from "@/server/cli-error";
import { commands, usage } from "@/server/commands";
import type { Command } from "@/server/commands/command";
import { closeDatabases } from "@/server/database/close-databases";
import { withDatabases } from "@/server/database/databases";
import { isRefusal } from "@/server/web/refusal";

/** Commands that need no databases, or must not migrate them, each with packages of its own: loaded only to be run. */
const apart = {
  apply: async () => (await import("@/server/apply/apply-command")).runApply,
  backup: async () => (await import("@/server/backup/backup-commands")).runBackup,
  doctor: async () => (await import("@/server/doctor/doctor")).runDoctor,
  restore: async () => (await import("@/server/backup/backup-commands")).runRestore,
};

/** Runs one operator command. Exit codes: 0 success, 1 refused, failed or (doctor) a failed check, 2 wrong usage (`apply` has its own). */
async function main(argv: readonly string[]): Promise<number> {
  const [noun = "", verb = ""] = argv;
  if (argv.includes("--help")) {
    process.stderr.write(usage());
    return 0;
  }
  if (Object.hasOwn(apart, noun)) return (await apart[noun as keyof typeof apart]())(argv.slice(1));
  const name = `${noun} ${verb}`;
  const command = commands[name];
  if (command === undefined) {
    process.stderr.write(usage());
    return 2;
  }
  const { isJson, run } = prepared(name, command, argv.slice(2));
  const answer = await withDatabases(async () => {
    try {
      return await run();
    } finally {
      await closeDatabases();
    }
  });
  process.stdout.write(isJson ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`);
  return 0;
}

/** As `prepare`, with the command's usage in what it throws. */
function prepared(name: string, command: Command, given: readonly string[]) {
  try {
    return command.prepare(given);
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`${error.message}\nUsage: ${name} ${command.usage}`.trimEnd());
    throw error;
  }
}

connectAsJob();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const refused = error instanceof CliError || error instanceof Unconfirmed || isRefusal(error) || isApiError(error);
  const misused =
    error instanceof UsageError ||
    (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
  const { message, stack, hint } = error as Error & { hint?: string };
  const reason = hint === undefined ? message : `${message}. ${hint}`;
  const away = !refused && isUnavailable(error) ? `A database is unavailable: ${reason}` : undefined;
  process.stderr.write(`${away ?? (refused || misused ? message : stack)}\n`);
  process.exitCode = misused ? 2 : 1;
}
process.exit();
