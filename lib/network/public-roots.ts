import { rootCertificates } from "node:tls";
import { config } from "@/lib/config";

/** The public roots, and where they come from. */
export interface PublicRoots {
  source: "nodejs" | "file";
  /** The Node.js release that includes them; null for a file. */
  version: string | null;
  pem: readonly string[];
}

/** Mozilla's roots as this Node.js includes them, or those of the operator's file. */
export function readPublicRoots(): PublicRoots {
  const own = config().PUBLIC_ROOTS_FILE;
  if (own !== undefined) return { source: "file", version: null, pem: own };
  return { source: "nodejs", version: process.versions.node, pem: rootCertificates };
}
