import { DAY_MS } from "@/lib/time/units";

/** Common lifetimes of a key, in days. */
export const lifetimes = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
] as const;

/** The expiration in a form: `keep`, `never`, one of the lifetimes, or `at` with a local date and time. */
export interface Expiration {
  choice: string;
  /** The value of a `datetime-local` control. */
  at: string;
}

/** The value to send; undefined keeps the expiration. An invalid date is sent as typed, so that the API names the field. */
export function expiresAt({ choice, at }: Expiration, now: number): string | null | undefined {
  if (choice === "keep") return undefined;
  if (choice === "never") return null;
  if (choice !== "at") return new Date(now + Number(choice) * DAY_MS).toISOString();
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toISOString();
}

/** The entries of a whitelist, one per line or separated by commas. */
export function whitelistEntries(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}
