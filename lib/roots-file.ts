import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** The certificates of a file in PEM; text around them is ignored. Throws an error for the operator that begins with "must". */
export function readRootsFile(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (error) {
    throw new Error(`must be a file that can be read: ${error instanceof Error ? error.message : error}.`);
  }
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) throw new Error(`must be a file with certificates in PEM; ${path} has none.`);
  const broken = blocks.findIndex((pem) => !isReadable(pem));
  if (broken >= 0) throw new Error(`must be a file with certificates in PEM; the ${broken + 1}. of ${path} is broken.`);
  return blocks;
}
