import pino from "pino";
import { config } from "@/lib/config";
import { processSingleton } from "@/lib/process-singleton";

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

/**
 * The process's structured log. It goes to standard error; standard output carries only requested output
 * (the line that reports Sealwatch as ready, a command's JSON document).
 */
export const log = processSingleton("log", () =>
  pino(
    {
      level: config().LOG_LEVEL,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
        censor: "[redacted]",
      },
    },
    pino.destination({ fd: 2, sync: true }),
  ),
);
