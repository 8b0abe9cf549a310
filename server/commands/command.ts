import { parseArgs } from "node:util";
import { CliError, UsageError } from "@/server/cli-error";

/** The options of commands, each with what stands for its value in usage texts. */
const values = {
  org: "ID_OR_SLUG",
  name: "NAME",
  permission: "admin|read",
  scope: "SCOPE",
  ip: "ENTRY",
  "expires-at": "TIME",
  plan: "free|team|business|enterprise",
  email: "EMAIL",
  subject: "SUBJECT",
  reason: "TEXT",
  confirm: "FILE",
  day: "YYYY-MM-DD",
} as const;

type Option = keyof typeof values;
/** The option that may be given several times. */
const REPEATED = "ip";
type Given<Name extends Option> = Name extends typeof REPEATED ? string[] : string;

/** What a command prints: one document with `--json`, the text without. */
export interface Answer {
  json: unknown;
  text: string;
}

interface Definition<Needed extends Option, Taken extends Option> {
  /** Options that must be given. */
  needs?: readonly Needed[];
  /** Options that may be given. */
  takes?: readonly Taken[];
  /** The forms of the words that follow the command; none by default. A word in capital letters stands for any. */
  words?: readonly string[];
  run(
    options: { [Name in Needed]: Given<Name> } & { [Name in Taken]?: Given<Name> },
    words: readonly string[],
  ): Promise<Answer>;
}

export interface Command {
  /** What follows the command's name. */
  usage: string;
  /** Reads what was given after the command's name. Throws UsageError, or CliError if a needed option is missing. */
  prepare(given: readonly string[]): { isJson: boolean; run: () => Promise<Answer> };
}

export function command<const Needed extends Option = never, const Taken extends Option = never>(
  definition: Definition<Needed, Taken>,
): Command {
  const { needs = [], takes = [], words: forms = [""] } = definition;
  return {
    usage: [wordsUsage(forms), ...needs.map(optionUsage), ...takes.map((name) => `[${optionUsage(name)}]${more(name)}`)]
      .filter(Boolean)
      .join(" "),
    prepare(given) {
      const { json, options, words } = read(given, [...needs, ...takes]);
      if (!forms.some((form) => fits(form, words)))
        throw new UsageError(
          words.length === 0 ? "An argument is missing." : `Unexpected arguments: ${words.join(" ")}`,
        );
      const missing = needs.filter((name) => options[name] === undefined);
      if (missing.length > 0) throw new CliError(missing.map((name) => `--${name} is missing.`).join("\n"));
      return { isJson: json, run: () => definition.run(options as Parameters<typeof definition.run>[0], words) };
    },
  };
}

const optionUsage = (name: Option) => `--${name} ${values[name]}`;
const more = (name: Option) => (name === REPEATED ? "…" : "");

function wordsUsage(forms: readonly string[]): string {
  const others = forms.filter(Boolean).join(" | ");
  return forms.length > 1 && forms.includes("") ? `[${others}]` : others;
}

function fits(form: string, words: readonly string[]): boolean {
  const parts = form.split(" ").filter(Boolean);
  return parts.length === words.length && parts.every((part, at) => /^[A-Z_]+$/.test(part) || part === words[at]);
}

function read(given: readonly string[], names: readonly Option[]) {
  const types = names.map((name) => [name, { type: "string", multiple: name === REPEATED }] as const);
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: { ...Object.fromEntries(types), json: { type: "boolean", default: false } },
    });
    const { json, ...options } = values;
    return { json: json === true, options: options as { [Name in Option]?: Given<Name> }, words: positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
