import * as z from "zod";

/** A whole number within bounds. */
export function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
}
