import { isNode, Lexer, LineCounter, parseDocument } from "yaml";
import { issuesOf } from "@/lib/http/input";
import { visible } from "@/lib/text/visible";
import { manifest, VARIABLE } from "@/server/apply/manifest";
import { type Kind, kinds, type ManifestIssue, type Wanted } from "@/server/apply/resource";
import { resourceOf } from "@/server/apply/resources-of-manifest";
import { CliError } from "@/server/cli-error";

/** Bytes of a manifest. */
export const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
/** No manifest has as many columns of indentation and open brackets; parsers recurse, and may end the process. */
const MAX_DEPTH = 100;
/** Most values that aliases may add. */
const MAX_ALIASES = 1000;
const MAX_ISSUES = 50;
/** Most characters of a fault. */
const MAX_WORDS = 500;

type Path = ManifestIssue["path"];
type Item = Record<string, unknown>;

export interface Manifest {
  /** Slug or id; null if the manifest does not name one. */
  organization: string | null;
  /** The kinds whose list the manifest has. */
  managed: ReadonlySet<Kind>;
  wanted: readonly Wanted[];
  /** The line of a place in the manifest, counted from 1. */
  lineOf: (path: Path) => number;
}

/**
 * Parses a manifest in YAML or JSON, with variables of the environment filled in. Throws CliError with a line for each fault: the
 * line in the file, the field and what is wrong, never the value of a variable.
 */
export function readManifest(text: string, env: Readonly<Record<string, string | undefined>>): Manifest {
  const { value, lineOf } = parseYaml(text);
  const issues: ManifestIssue[] = [];
  const form = manifest.safeParse(value);
  if (!form.success) issues.push(...issuesOfForm(form.error));
  if (issues.some(({ path }) => path.length < 2) || typeof value !== "object" || value === null)
    throw refused(issues, lineOf);
  const faulty = new Set(issues.map(({ path }) => path.slice(0, 2).join(".")));
  const whole = value as Record<string, unknown>;
  const wanted = kinds.flatMap((kind) =>
    ((whole[kind] ?? []) as Item[]).flatMap((item, at): Wanted[] => {
      const path = [kind, at];
      if (faulty.has(path.join("."))) return [];
      const filled = withVariables(kind, item, env);
      for (const { path: within, message } of filled.issues) issues.push({ path: [...path, ...within], message });
      if (filled.issues.length > 0) return [];
      const resource = resourceOf(kind, filled.item);
      if ("key" in resource) return [{ kind, path, ...resource }];
      for (const { path: within, message } of resource) issues.push({ path: [...path, ...within], message });
      return [];
    }),
  );
  issues.push(...repeated(wanted, lineOf));
  if (issues.length > 0) throw refused(issues, lineOf);
  const { organization } = whole;
  return {
    organization: typeof organization === "string" ? organization : null,
    managed: new Set(kinds.filter((kind) => whole[kind] !== undefined)),
    wanted,
    lineOf,
  };
}

function parseYaml(text: string): { value: unknown; lineOf: (path: Path) => number } {
  if (depthOf(text) > MAX_DEPTH) throw new CliError("The manifest is nested too deeply.");
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, merge: true });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined)
      throw new CliError(visible(`line ${lines.linePos(fault.pos[0]).line}: ${fault.message.slice(0, MAX_WORDS)}`));
    const lineOf = (path: Path) => {
      for (let length = path.length; length > 0; length--) {
        const node = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
      }
      return 1;
    };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }), lineOf };
  } catch (error) {
    if (error instanceof CliError) throw error;
    // Such as too many aliases.
    throw new CliError(`The manifest cannot be read: ${visible((error as Error).message)}`);
  }
}

/** At least the levels of nesting at the deepest place, or anything above the limit. */
function depthOf(text: string): number {
  let [brackets, markers, indentation, most] = [0, 0, 0, 0];
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    if (token === "\n" || token === "\r\n") {
      [markers, indentation, isLineStart] = [0, 0, true];
      continue;
    }
    if (isLineStart && /^ +$/.test(token)) indentation = token.length;
    else if (token === "[" || token === "{") brackets++;
    else if (token === "]" || token === "}") brackets = Math.max(0, brackets - 1);
    else if (token === "-" || token === "?") markers++;
    isLineStart = false;
    most = Math.max(most, brackets + markers + indentation);
    if (most > MAX_DEPTH) break;
  }
  return most;
}

function issuesOfForm(error: Parameters<typeof issuesOf>[0]): ManifestIssue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
    const [{ message } = { message: "" }] = issuesOf({ ...error, issues: [issue] } as typeof error);
    if (issue.code === "invalid_union" && issue.discriminator !== undefined)
      return [{ path, message: "is not a known type" }];
    if (issue.code !== "unrecognized_keys") return [{ path, message }];
    return issue.keys.map((key) => ({ path: [...path, key], message }));
  });
}

/** The fields in which variables of the environment are filled in: those that the API never returns. */
const variableFields: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  notification_channels: ["settings"],
  monitors: ["headers", "authentication"],
};

function withVariables(
  kind: Kind,
  item: Item,
  env: Readonly<Record<string, string | undefined>>,
): { item: Item; issues: ManifestIssue[] } {
  const issues: ManifestIssue[] = [];
  const filled = { ...item };
  for (const field of variableFields[kind] ?? []) {
    const values = item[field];
    if (typeof values !== "object" || values === null) continue;
    filled[field] = Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (typeof value !== "string") return [name, value];
        const text = value.replace(VARIABLE, (whole, dollar: string, variable: string) => {
          if (dollar === "$") return whole.slice(1);
          const set = env[variable];
          if (set) return set;
          issues.push({ path: [field, name], message: `the environment variable ${variable} is not set` });
          return "";
        });
        return [name, text];
      }),
    );
  }
  return { item: filled, issues };
}

function repeated(wanted: readonly Wanted[], lineOf: (path: Path) => number): ManifestIssue[] {
  const first = new Map<string, Wanted>();
  return wanted.flatMap((each) => {
    const identity = `${each.kind} ${each.key}`;
    const before = first.get(identity);
    if (before === undefined) first.set(identity, each);
    return before === undefined ? [] : [{ path: each.path, message: `is the same as in line ${lineOf(before.path)}` }];
  });
}

/** One line per fault, in the order of the file. */
export function refused(issues: readonly ManifestIssue[], lineOf: (path: Path) => number): CliError {
  const lines = issues
    .map(({ path, message }) => ({ line: lineOf(path), text: `${path.join(".") || "manifest"}: ${message}` }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => visible(`line ${line}: ${text.slice(0, MAX_WORDS)}`));
  const more = lines.length > MAX_ISSUES ? [`and ${lines.length - MAX_ISSUES} more`] : [];
  return new CliError([...lines.slice(0, MAX_ISSUES), ...more].join("\n"));
}
