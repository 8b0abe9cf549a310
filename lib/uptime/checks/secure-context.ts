import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { RecentlyUsed } from "@/lib/caches/recently-used";
import { pool } from "@/lib/db/app";
import { readPublicRoots } from "@/lib/network/public-roots";
import { processSingleton } from "@/lib/process-singleton";
import { isReadableCertificate, pemBlocks } from "@/lib/roots/pem";
import type { Authentication, ClientCertificate } from "@/lib/uptime/authentication";
import { CheckFailure, type Spend } from "@/lib/uptime/checks/outcome";

/** Maximum number of cached contexts. */
const MAX_KEPT = 50;
/** About what a context takes, in bytes, and 10 ms. */
const CONTEXT_BYTES = 2 ** 20;

/** Trusts the certificates in PEM in addition to the public roots, intermediates included, and may have a client certificate. */
export function trusting(pem: string, client?: ClientCertificate): SecureContext {
  const own = pemBlocks(pem).filter(isReadableCertificate);
  const { source, roots } = readPublicRoots();
  // Without `ca`, Node.js shares its own roots instead of parsing them again.
  const isUsual = own.length === 0 && source === "nodejs";
  return createSecureContext({
    ...(!isUsual && { ca: [...roots.map((root) => root.pem), ...own], allowPartialTrustChain: true }),
    ...(client && { cert: client.certificate, key: client.private_key }),
  });
}

function kept(): RecentlyUsed<SecureContext> {
  return processSingleton(
    "uptime.secure-contexts",
    () => new RecentlyUsed<SecureContext>({ count: MAX_KEPT, bytes: MAX_KEPT * CONTEXT_BYTES }),
  );
}

/** The organization's context with this key, created unless it is kept. */
function keptContext(owner: string, key: string, create: () => SecureContext): SecureContext {
  const known = kept().get(key);
  if (known !== undefined) return known;
  const context = create();
  kept().set(key, context, { bytes: CONTEXT_BYTES, owner });
  return context;
}

/** A trust store in its current version; null if it does not exist. Certificates are read only if its version is not kept. */
async function readTrust(
  organizationId: string,
  id: string,
): Promise<{ key: string; pem: () => Promise<string> } | null> {
  const where = "FROM certificate_trust_stores WHERE organization_id = $1 AND id = $2";
  const read = <T extends object>(column: string) => pool().query<T>(`SELECT ${column} ${where}`, [organizationId, id]);
  const [current] = (await read<{ updated_at: Date }>("updated_at")).rows;
  if (current === undefined) return null;
  const pem = async () => (await read<{ pem: string }>("pem")).rows[0]?.pem ?? "";
  return { key: `${id} ${current.updated_at.getTime()}`, pem };
}

function withCertificate(pem: string, client: ClientCertificate): SecureContext {
  try {
    return trusting(pem, client);
  } catch (error) {
    const { code = "invalid" } = error as { code?: string };
    throw new CheckFailure("tls_failed", `the client certificate cannot be used: ${code}`);
  }
}

/** What a monitor trusts and, at its origin, who it is; neither if it trusts the roots of Node.js and has no certificate. */
interface SecureContexts {
  secureContext?: SecureContext;
  ownContext?: SecureContext;
}

/**
 * The contexts of a monitor with a trust store, which may be null, and an authentication. Throws CheckFailure if its client
 * certificate cannot be used.
 */
export async function secureContextsOf(
  organizationId: string,
  trustStoreId: string | null,
  authentication: Authentication,
  spend: Spend,
): Promise<SecureContexts> {
  const trust = trustStoreId === null ? null : await readTrust(organizationId, trustStoreId);
  const client = authentication.type === "client_certificate" ? authentication : null;
  const isUsual = trust === null && readPublicRoots().source === "nodejs";
  if (isUsual && client === null) return {};
  const key = trust?.key ?? "public";
  const clientKey = client && `${key} ${fingerprintOf(client)}`;
  const isKept = kept().has(key) && (clientKey === null || kept().has(clientKey));
  const pem = isKept || trust === null ? "" : await trust.pem();
  const usual = () => spend(() => trusting(pem));
  const own = (client: ClientCertificate) => () => spend(() => withCertificate(pem, client));
  return {
    // Without a trust store, it is everybody's.
    ...(!isUsual && { secureContext: keptContext(trust ? organizationId : "", key, usual) }),
    ...(client && clientKey && { ownContext: keptContext(organizationId, clientKey, own(client)) }),
  };
}

function fingerprintOf({ certificate, private_key }: ClientCertificate): string {
  return createHash("sha256").update(`${certificate}\0${private_key}`).digest("hex");
}
