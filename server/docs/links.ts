import { existsSync } from "node:fs";
import { dirname, normalize } from "node:path";

/** The page without its code, where brackets and `#` have other meanings. */
const proseOf = (page: string) => page.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").replaceAll(/`[^`\n]*`/g, "`");

/** Every target of a link or picture that is a path in the repository or an anchor. */
function targetsOf(page: string): string[] {
  const prose = proseOf(page);
  const inline = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const pictures = [...prose.matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map(([, target = ""]) => target);
  return [...inline, ...pictures].filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub generates for a page's headings. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of page.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Resolves a target on the page at `from` to a path in the repository and an anchor, which may be "". */
function resolve(from: string, target: string): { path: string; anchor: string } {
  const [file = "", anchor = ""] = target.split("#");
  return { path: file === "" ? from : normalize(`${dirname(from)}/${decodeURI(file)}`), anchor };
}

/** Broken links of pages, by path: `page: target`. */
export function brokenLinks(pages: ReadonlyMap<string, string>): string[] {
  return [...pages].flatMap(([from, text]) =>
    targetsOf(text)
      .filter((target) => {
        const { path, anchor } = resolve(from, target);
        if (!pages.has(path)) return !existsSync(path) || anchor !== "";
        return anchor !== "" && !anchorsOf(pages.get(path) ?? "").has(anchor);
      })
      .map((target) => `${from}: ${target}`),
  );
}

/** Pages that no other page links to. */
export function orphans(pages: ReadonlyMap<string, string>): string[] {
  const linked = new Set(
    [...pages].flatMap(([from, text]) =>
      targetsOf(text)
        .map((target) => resolve(from, target).path)
        .filter((path) => path !== from),
    ),
  );
  return [...pages.keys()].filter((path) => path !== "README.md" && !linked.has(path));
}

const TOP_LEVEL = /^(?:app|bench|components|deploy|docs|e2e|lib|prisma|public|server)\/[\w@.()[\]/-]+$/;

/** Missing files and folders of the repository that pages name in code style: `page: path`. */
export function missingPaths(pages: ReadonlyMap<string, string>): string[] {
  return [...pages].flatMap(([from, text]) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => TOP_LEVEL.test(path) && !existsSync(path))
      .map((path) => `${from}: ${path}`),
  );
}
