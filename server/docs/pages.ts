import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const beside = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md"];

/** The text of every page of the documentation, by its path in the repository. */
export function readPages(): Map<string, string> {
  const inDocs = readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path));
  return new Map([...beside, ...inDocs.sort()].map((path) => [path, readFileSync(path, "utf8")]));
}
