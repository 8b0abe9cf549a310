import { type Finding, type FindingCode, found, mostSevereByCode } from "@/lib/certificates/findings";

/** A certificate of a series, with what the last check that saw it found. */
interface SeenLeaf {
  id: string;
  sha256: string;
  not_after: string;
  findings: Finding[];
}

/** Which of its certificates each of the last checks saw, oldest first, as positions. */
export interface LeafSeries {
  certificates: SeenLeaf[];
  seen: number[];
}

/** Maximum number of checks to remember, and of certificates in them. */
const MAX_CHECKS = 10;
const MAX_CERTIFICATES = 4;
/** The same certificate in this many checks in a row ends a series. */
const ENDING_CHECKS = 5;

/** Findings about a change from one certificate to another, which alternating certificates make at every check, and about both. */
const OTHER_CODES: readonly FindingCode[] = [
  "certificate_changed",
  "names_removed",
  "key_reused",
  "certificates_alternate",
];

/** The series without its oldest checks and without certificates that no check saw; null if it has ended or only one is left. */
function bounded({ certificates, seen }: LeafSeries): LeafSeries | null {
  const last = seen.slice(-MAX_CHECKS);
  const ending = last.slice(-ENDING_CHECKS);
  if (ending.length === ENDING_CHECKS && new Set(ending).size === 1) return null;
  while (new Set(last).size > MAX_CERTIFICATES) last.shift();
  const kept = [...new Set(last)];
  if (kept.length < 2) return null;
  return {
    certificates: kept.flatMap((at) => certificates[at] ?? []),
    seen: last.map((at) => kept.indexOf(at)),
  };
}

/** The series after a check saw `leaf`. Null while checks see one certificate: `last` is what they saw. */
export function nextSeries(series: LeafSeries | null, last: SeenLeaf | null, leaf: SeenLeaf): LeafSeries | null {
  if (series === null && (last === null || last.id === leaf.id)) return null;
  const { certificates, seen } = series ?? { certificates: last === null ? [] : [last], seen: [0] };
  const known = certificates.findIndex(({ id }) => id === leaf.id);
  const at = known < 0 ? certificates.length : known;
  return bounded({ certificates: certificates.toSpliced(at, 1, leaf), seen: [...seen, at] });
}

/** One change is a renewal, and a second may take it back. */
const CHANGES_OF_ALTERNATION = 3;

function isAlternating({ seen }: LeafSeries): boolean {
  return seen.filter((at, index) => index > 0 && at !== seen[index - 1]).length >= CHANGES_OF_ALTERNATION;
}

/**
 * The findings of a check. While certificates alternate, those of each certificate as last seen: otherwise they would open and
 * close with every check. What is found does not depend on which the last check saw, otherwise each would be a change.
 * `address` is null if the endpoint has several.
 */
export function judgeAlternation(findings: Finding[], series: LeafSeries | null, address: string | null): Finding[] {
  if (series === null || !isAlternating(series)) return findings;
  const certificates = series.certificates.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const listed = certificates.map(({ id, sha256, not_after }) => ({ id, sha256, not_after }));
  return [
    ...mostSevereByCode(certificates.flatMap((each) => each.findings)).filter(
      ({ code }) => !OTHER_CODES.includes(code),
    ),
    found("certificates_alternate", "warning", { address, checks: MAX_CHECKS, certificates: listed }),
  ];
}
