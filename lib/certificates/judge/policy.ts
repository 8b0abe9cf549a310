import type { Validity } from "@/lib/certificates/lifetime";
import { DAY_MS } from "@/lib/time/units";

/** Maximum lifetimes of public certificates by start of validity (CA/Browser Forum, ballots SC31 and SC-081v3). */
export const lifetimeSchedule: readonly { from: string; days: number }[] = [
  { from: "2018-03-01", days: 825 },
  { from: "2020-09-01", days: 398 },
  { from: "2026-03-15", days: 200 },
  { from: "2027-03-15", days: 100 },
  { from: "2029-03-15", days: 47 },
];

/** Days from the first to the last second of validity, both inclusive (RFC 5280). */
export function lifetimeDays({ notBefore, notAfter }: Validity): number {
  return (notAfter.getTime() + 1000 - notBefore.getTime()) / DAY_MS;
}

/** The maximum days for a public certificate that starts then; null before there was a limit. */
export function publicLifetimeLimit(notBefore: Date): number | null {
  return lifetimeSchedule.findLast(({ from }) => notBefore >= new Date(from))?.days ?? null;
}

/** The attribute values of an RFC 4514 name, in lower case. */
function valuesOf(name: string): string[] {
  return name.split(/(?<!\\)[,+]/).map((part) =>
    part
      .slice(part.indexOf("=") + 1)
      .replace(/\\([\s\S])/g, "$1")
      .trim()
      .toLowerCase(),
  );
}

/** Whether an issuer is among those expected: by its whole name or an attribute such as organization or common name. */
export function isExpectedIssuer(issuer: string, expected: readonly string[]): boolean {
  const known = [issuer.toLowerCase(), ...valuesOf(issuer)];
  return expected.some((wanted) => known.includes(wanted.toLowerCase()));
}
