import { type Finding, reachabilityCodes } from "@/lib/certificates/findings";
import { judgeAlternation, type LeafSeries, nextSeries } from "@/lib/certificates/judge/judge-alternation";
import type { Observations, Served } from "@/lib/certificates/probe/observation";
import type { Known } from "@/lib/certificates/record/record-endpoints";
import type { OpenFinding } from "@/lib/certificates/record/record-findings";

/** Findings that are not about one of the certificates. */
const OTHER_CODES: readonly string[] = [...reachabilityCodes, "certificates_alternate"];

interface Check {
  row: Pick<Known, "leaf" | "recent_leaves">;
  served: Served | null;
  observations: Observations;
  /** The id of the served leaf. */
  id: string | null;
  found: Finding[];
  open: readonly OpenFinding[];
}

/** The certificates that the last checks saw, and the findings with regard to them. Several addresses diverge instead. */
export function followLeaves({ row, served, observations, id, found, open }: Check): {
  series: LeafSeries | null;
  findings: Finding[];
} {
  const { leaf, recent_leaves } = row;
  if (served === null || id === null) return { series: recent_leaves, findings: found };
  if (observations.length > 1) return { series: null, findings: found };
  const known = open.filter(({ code }) => !OTHER_CODES.includes(code));
  const last = leaf && {
    id: leaf.id,
    sha256: leaf.sha256,
    not_after: new Date(leaf.not_after).toISOString(),
    findings: known.map(({ code, severity, evidence }) => ({ code, severity, evidence })),
  };
  const [{ sha256, notAfter }] = served.chain;
  const now = { id, sha256, not_after: notAfter.toISOString(), findings: found };
  const series = nextSeries(recent_leaves, last, now);
  return { series, findings: judgeAlternation(found, series, served.addresses.length > 1 ? null : served.address) };
}
