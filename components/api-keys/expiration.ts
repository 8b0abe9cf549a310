const DAY_MS = 86_400_000;

/** Common lengths of life of a key, in days. */
export const lifetimes = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
] as const;

/** How a form says when a key expires: `keep`, `never`, one of the lifetimes, or `at` with a local date and time. */
export interface Expiration {
  choice: string;
  /** Of a `datetime-local` control. */
  at: string;
}

/** What to send: undefined leaves it as it is. A date that is none is sent as it is, for the API to refuse at the field. */
export function expiresAt({ choice, at }: Expiration, now: number): string | null | undefined {
  if (choice === "keep") return undefined;
  if (choice === "never") return null;
  if (choice !== "at") return new Date(now + Number(choice) * DAY_MS).toISOString();
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toISOString();
}

/** Entries of a whitelist, one a line or separated by commas. */
export function whitelistEntries(text: string): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}
