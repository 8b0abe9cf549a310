import { ConfigError } from "@/lib/config";

/** Something the operator has to put right. The message is whole sentences; it is shown without a stack. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** Whether `error` is meant for the operator, as opposed to a fault of ours. */
export function isRefusal(error: unknown): error is Refusal | ConfigError {
  return error instanceof Refusal || error instanceof ConfigError;
}

/** Shows a failure on standard error: a refusal as its sentence, a fault with its stack. */
export function showFailure(error: unknown): void {
  console.error(isRefusal(error) ? error.message : error);
}
