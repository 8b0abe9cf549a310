import { shortName } from "@/components/certificates/inventory/names";

/** The evidence of a finding. Its fields depend on the code, so any of them may be missing. */
export type Evidence = Record<string, unknown>;

export function text(evidence: Evidence, name: string): string {
  const value = evidence[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function texts(evidence: Evidence, name: string): string[] {
  const value = evidence[name];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

export function object(evidence: Evidence, name: string): Evidence {
  const value = evidence[name];
  return typeof value === "object" && value !== null ? (value as Evidence) : {};
}

export function objects(evidence: Evidence, name: string): Evidence[] {
  const value = evidence[name];
  return Array.isArray(value)
    ? value.filter((each): each is Evidence => typeof each === "object" && each !== null)
    : [];
}

/** The first few of a list: `a, b, c and 4 more`. */
export function few(values: readonly string[], total = values.length, most = 3): string {
  const shown = values.slice(0, most);
  const more = total - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** The certificate that the evidence is about, by its short name. */
export function who(evidence: Evidence, name = "subject"): string {
  return shortName(text(evidence, name)) || "A certificate";
}
