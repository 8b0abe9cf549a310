import { ConfigError } from "@/lib/config";

/** A problem that the operator has to fix. The message is in whole sentences and is shown without a stack. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** Whether `error` is a message for the operator rather than a bug. */
export function isRefusal(error: unknown): error is Refusal | ConfigError {
  return error instanceof Refusal || error instanceof ConfigError;
}

/** Prints a failure on standard error: a refusal as its message, a bug with its stack. */
export function showFailure(error: unknown): void {
  console.error(isRefusal(error) ? error.message : error);
}
