import pino from "pino";
import { config } from "@/lib/config";
import type { OutageReport } from "@/lib/outage";
import { processSingleton } from "@/lib/process-singleton";
import { withSourcePositions } from "@/lib/text/source-positions";

/** Fields that hold a secret at any depth of a logged object. */
const SECRET_FIELDS = [
  "authorization",
  "cookie",
  "password",
  "secret",
  "client_secret",
  "connectionString",
  "set-cookie",
];

/** Of lines that could not be written yet, which keep their memory until they can be. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Fields of every line, by who adds them. */
const addedFields = processSingleton("log.fields", () => new Map<string, () => object>());

/** Adds fields to every line. A further function under the same key replaces the first. */
export function addLogFields(key: string, read: () => object): void {
  addedFields.set(key, read);
}

/** An error as an object with its causes in one stack. Other values, since anything can be thrown, stay as they are. */
function describe(thrown: unknown): unknown {
  const described: { stack?: unknown } | null | undefined = pino.stdSerializers.err(thrown as Error);
  if (typeof described?.stack === "string") described.stack = withSourcePositions(described.stack);
  return described;
}

/**
 * The process's structured log. It goes to standard error; standard output carries only requested output
 * (the line that reports Sealwatch as ready, a command's JSON document).
 */
export const log = processSingleton("log", () =>
  pino(
    {
      level: config().LOG_LEVEL,
      mixin: () => Object.assign({}, ...[...addedFields.values()].map((read) => read())),
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describe },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
        censor: "[redacted]",
      },
    },
    destination(),
  ),
);

/**
 * Standard error. While it cannot be written, as on a full disk, lines are lost and work goes on. pino's own listener leaves at the first
 * such error, so that the next ones would be thrown; and a flush, as at a fatal line, would try until there is room.
 */
function destination() {
  const stream = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  stream.on("error", () => {});
  stream.flushSync = () => {};
  return stream;
}

/** Logs what is due of an outage: `away` when it begins and once a minute, `back` when it ends. */
export function logOutage(report: OutageReport | null, words: { away: string; back: string }, error?: unknown): void {
  if (report === null) return;
  const { state, seconds, failures } = report;
  if (state === "ends") log.info({ seconds, failures }, words.back);
  else log.warn({ err: error, seconds, failures }, words.away);
}
