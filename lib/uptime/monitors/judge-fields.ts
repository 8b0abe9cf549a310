import { isIP } from "node:net";
import { config } from "@/lib/config";
import { isForbidden } from "@/lib/network/guard";
import { clientCertificateFaults } from "@/lib/uptime/client-certificate";
import { compilePattern } from "@/lib/uptime/matching/pattern";
import { provideServerChecks } from "@/lib/uptime/server-checks";

function patternFault(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A name that resolves to a forbidden address is accepted, and its checks fail with `forbidden_address`. */
function hostFault(host: string): string | null {
  if (isIP(host) === 0 || !isForbidden(host, config().PROBE_ALLOWED_NETWORKS)) return null;
  return "is in a network that this installation does not probe (PROBE_ALLOWED_NETWORKS)";
}

provideServerChecks({ pattern: patternFault, host: hostFault, clientCertificate: clientCertificateFaults });
