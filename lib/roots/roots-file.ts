import { readFileSync } from "node:fs";
import { isCertdata, parseCertdata, type Root } from "@/lib/roots/certdata";
import { isReadableCertificate, pemBlocks } from "@/lib/roots/pem";

function readRoots(text: string): Root[] {
  if (isCertdata(text)) return parseCertdata(text);
  return pemBlocks(text).map((pem) => ({ pem, distrustAfter: null }));
}

/**
 * The roots of a file in PEM, in which text around them is ignored, or of Mozilla's `certdata.txt`. Throws an error for the operator
 * that begins with "must".
 */
export function readRootsFile(path: string): Root[] {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (error) {
    throw new Error(`must be a file that can be read: ${error instanceof Error ? error.message : error}.`);
  }
  const roots = readRoots(text);
  if (roots.length === 0) throw new Error(`must be a file with certificates in PEM; ${path} has none.`);
  const broken = roots.findIndex(({ pem }) => !isReadableCertificate(pem));
  if (broken >= 0) throw new Error(`must be a file with certificates in PEM; the ${broken + 1}. of ${path} is broken.`);
  return roots;
}
