import { readFileSync } from "node:fs";
import { openApiDocument } from "@/lib/openapi/document";
import { typesOf } from "@/lib/openapi/typescript";

/** The typed client as one file without dependencies: `client-runtime.ts`, and the types of the OpenAPI document. */
export function clientSource(): string {
  const runtime = readFileSync("lib/openapi/client-runtime.ts", "utf8").replace(/^import .*\n\n/, "");
  return `// A client of Sealwatch's API in one file, for Node.js 20 and whatever else has fetch. Apache-2.0.
// Written by \`npm run client\` from the OpenAPI document; do not edit.

${runtime}
${typesOf(openApiDocument() as Parameters<typeof typesOf>[0])}`;
}
