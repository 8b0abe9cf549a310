import { certIdOf } from "@/lib/certificates/renewal-info/cert-id";
import { directoryOf } from "@/lib/certificates/renewal-info/directories";
import { recordRenewals } from "@/lib/certificates/renewal-info/record-renewals";
import {
  type Directories,
  makeDirectories,
  type RenewalInfoResult,
  requestRenewalInfo,
} from "@/lib/certificates/renewal-info/request-renewal-info";
import { MalformedCertificate, parseCertificate } from "@/lib/certificates/x509/x509";
import { config } from "@/lib/config";
import { dueChecks } from "@/lib/jobs/due-checks";
import { processSingleton } from "@/lib/process-singleton";

/** A certificate whose renewal information is due to be requested. */
interface DueRenewalInfo {
  organizationId: string;
  /** The certificate's id. */
  id: string;
  leasedUntil: Date;
  issuer: string;
  der: Buffer;
  /** Whether an endpoint serves it and it has not expired. */
  isInUse: boolean;
}

/** What was learned about a certificate; null if there is nothing to request any more. `unused`: no endpoint serves it now. */
export interface RequestedRenewalInfo {
  renewal: DueRenewalInfo;
  directory: string | null;
  asked: RenewalInfoResult | "unused" | null;
}

/** Longer than a directory, an answer and a busy host need. */
const LEASE_SECONDS = 60;
/** Few, because most certificates share an authority. */
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

/** Requests renewal information of due certificates until none are left. */
export const { run: requestDueRenewalInfo } = dueChecks<DueRenewalInfo, RequestedRenewalInfo>({
  what: "request for renewal information",
  kind: "renewal_request",
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
    const asked = await requestRenewalInfo({ directory, certId }, directories(), guard(), signal).finally(leave);
    return { renewal, directory, asked };
  },
  record: recordRenewals,
});
