import { X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { pool } from "@/lib/db/app";
import { processSingleton } from "@/lib/process-singleton";

/** The most contexts of trust stores to cache; each takes about a megabyte and 10 ms. */
const MAX_KEPT = 50;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Whether OpenSSL can read the certificate: it refuses to trust any of a list that has one that it cannot. */
function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** Trusts the certificates in PEM in addition to the public roots, intermediates included. */
export function trusting(pem: string): SecureContext {
  const own = (pem.match(PEM) ?? []).filter(isReadable);
  return createSecureContext({ ca: [...rootCertificates, ...own], allowPartialTrustChain: true });
}

function kept(): Map<string, SecureContext> {
  return processSingleton("uptime.secure-contexts", () => new Map());
}

/** Trusts a trust store in its current version in addition to the public roots; null if it does not exist. */
export async function secureContextOf(organizationId: string, id: string): Promise<SecureContext | null> {
  const where = "FROM certificate_trust_stores WHERE organization_id = $1 AND id = $2";
  const read = <T extends object>(column: string) => pool().query<T>(`SELECT ${column} ${where}`, [organizationId, id]);
  const [current] = (await read<{ updated_at: Date }>("updated_at")).rows;
  if (current === undefined) return null;
  const contexts = kept();
  const key = `${id} ${current.updated_at.getTime()}`;
  let context = contexts.get(key);
  if (context === undefined) {
    const [store] = (await read<{ pem: string }>("pem")).rows;
    if (store === undefined) return null;
    context = contexts.get(key) ?? trusting(store.pem);
  }
  // The most recently used context is last.
  contexts.delete(key);
  contexts.set(key, context);
  const [oldest] = contexts.keys();
  if (contexts.size > MAX_KEPT && oldest !== undefined) contexts.delete(oldest);
  return context;
}
