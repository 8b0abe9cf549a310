import { type Asked, askDirectory, type Directories, makeDirectories } from "@/lib/certificates/renewal/ask";
import { certIdOf } from "@/lib/certificates/renewal/cert-id";
import { directoryOf } from "@/lib/certificates/renewal/directories";
import { recordRenewals } from "@/lib/certificates/renewal/record-renewals";
import { MalformedCertificate, parseCertificate } from "@/lib/certificates/x509/x509";
import { config } from "@/lib/config";
import { dueChecks } from "@/lib/jobs/due-checks";
import { processSingleton } from "@/lib/process-singleton";

/** A certificate whose authority is due to be asked. */
export interface RenewalToAsk {
  organizationId: string;
  /** The certificate's id. */
  id: string;
  leasedUntil: Date;
  issuer: string;
  der: Buffer;
  /** Whether an endpoint serves it and it has not expired. */
  isInUse: boolean;
}

/** What was learned of a certificate; null if there is nothing to ask any more. `unused`: no endpoint serves it at the moment. */
export interface AskedRenewal {
  renewal: RenewalToAsk;
  directory: string | null;
  asked: Asked | "unused" | null;
}

/** Longer than a directory, an answer and a busy host may take. */
const LEASE_SECONDS = 60;
/** Few, because most certificates have the same authority. */
const SLOTS = { total: 32, perOrganization: 16 };

const guard = () => ({ allowedNetworks: config().PROBE_ALLOWED_NETWORKS });

function directories(): Directories {
  return processSingleton("certificates.acme-directories", () => makeDirectories(guard));
}

function readCertId(der: Buffer): string | null {
  try {
    return certIdOf(parseCertificate(der));
  } catch (error) {
    if (error instanceof MalformedCertificate) return null;
    throw error;
  }
}

/** Asks about certificates that are due until none are left. */
export const { run: askDueRenewals } = dueChecks<RenewalToAsk, AskedRenewal>({
  what: "request for renewal information",
  table: "certificate_renewals",
  columns: `t.organization_id AS "organizationId", t.id, t.leased_until AS "leasedUntil",
    (SELECT c.issuer FROM certificates c WHERE c.organization_id = t.organization_id AND c.id = t.id) AS issuer,
    (SELECT c.der FROM certificates c WHERE c.organization_id = t.organization_id AND c.id = t.id) AS der,
    EXISTS (SELECT FROM certificate_endpoints e
      WHERE e.organization_id = t.organization_id AND e.certificate_id = t.id AND e.expires_at > now()) AS "isInUse"`,
  isActive: "true",
  leaseSeconds: LEASE_SECONDS,
  slots: SLOTS,
  check: async (renewal, { enter, signal }) => {
    const directory = directoryOf(renewal.issuer, config().ACME_DIRECTORIES);
    const certId = directory === null ? null : readCertId(renewal.der);
    if (directory === null || certId === null) return { renewal, directory: null, asked: null };
    if (!renewal.isInUse) return { renewal, directory, asked: "unused" };
    const leave = await enter([new URL(directory).hostname]);
    const asked = await askDirectory({ directory, certId }, directories(), guard(), signal).finally(leave);
    return { renewal, directory, asked };
  },
  record: recordRenewals,
});
