import { rootCertificates } from "node:tls";
import { config } from "@/lib/config";
import type { Root } from "@/lib/roots/certdata";

/** The public roots, and where they come from. */
interface PublicRoots {
  source: "nodejs" | "file";
  /** The Node.js release that includes them; null for a file. */
  version: string | null;
  roots: readonly Root[];
}

/** Mozilla's roots as this Node.js includes them, or those of the operator's file. */
export function readPublicRoots(): PublicRoots {
  const own = config().PUBLIC_ROOTS_FILE;
  if (own !== undefined) return { source: "file", version: null, roots: own };
  return {
    source: "nodejs",
    version: process.versions.node,
    roots: rootCertificates.map((pem) => ({ pem, distrustAfter: null })),
  };
}
