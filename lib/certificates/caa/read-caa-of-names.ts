import { caaDomainsOf } from "@/lib/certificates/caa/issuers";
import { publicNamesOf } from "@/lib/certificates/caa/read-names";
import { type CaaOfName, storedReading } from "@/lib/certificates/caa-contract";
import { permits } from "@/lib/certificates/issuance/caa-records";
import { db } from "@/lib/db/app";

/** Who may issue for the names of a certificate, as last read; empty if no endpoint served it yet. */
export async function readCaaOfNames(
  organizationId: string,
  { sans, issuer, isCa }: { sans: readonly string[]; issuer: string; isCa: boolean },
): Promise<CaaOfName[]> {
  const names = isCa ? [] : publicNamesOf(sans);
  if (names.length === 0) return [];
  const rows = await db().certificateName.findMany({
    where: { organizationId, name: { in: names } },
    orderBy: { name: "asc" },
  });
  const domains = caaDomainsOf(issuer);
  const covered = new Set(sans.map((name) => name.toLowerCase()));
  return rows.map((row) => {
    const reading = storedReading.nullable().parse(row.reading);
    const forms = [row.name, `*.${row.name}`].filter((name) => covered.has(name));
    const isPermitted = (to: readonly string[]) =>
      forms.every((form) => permits(reading?.records ?? [], form !== row.name, to));
    return {
      name: row.name,
      permits_issuer: reading === null || domains === null ? null : isPermitted(domains),
      at: reading?.at ?? null,
      records: reading?.records ?? [],
      accounts: reading?.accounts ?? [],
      changed_at: row.changedAt?.toISOString() ?? null,
      answered_at: row.answeredAt?.toISOString() ?? null,
      error: row.error,
    };
  });
}
