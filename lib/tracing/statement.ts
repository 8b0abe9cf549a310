import type { Attributes } from "@/lib/tracing/span";

/** Distinct statements whose description is kept. Statements have parameters, so there are few. */
const MAX_KEPT = 2_000;
/** Longer texts, such as those with many placeholders, are read up to here. */
const MAX_READ = 20_000;
const MAX_NAME = 100;

const kept = new Map<string, { name: string; attributes: Attributes }>();

/** Comments and quoted values, none of which may become a name. */
const QUOTED = /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|(\$\w*\$)[\s\S]*?(?:\1|$)/g;
const VERB = /^[\s(]*([a-z]+)/i;
const TABLE = /\b(?:from|into|update|join|table)\s+(?:only\s+)?((?:"\w+"|\w+)(?:\.(?:"\w+"|\w+))*)/gi;
const NOT_TABLES = new Set(["unnest", "lateral", "jsonb_to_recordset", "generate_series", "set", "skip", "of"]);

/** What a statement does, without its text: its name if it has one, otherwise its verb and first table, such as `SELECT api_keys`. */
export function describeStatement(text: string, name: string | undefined): { name: string; attributes: Attributes } {
  const key = name ?? text;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const described = describe(text.slice(0, MAX_READ), name);
  if (kept.size < MAX_KEPT) kept.set(key, described);
  return described;
}

function describe(text: string, given: string | undefined) {
  const plain = text.replace(QUOTED, " ");
  const verb = (VERB.exec(plain)?.[1] ?? "statement").toUpperCase().slice(0, 20);
  const ctes = new Set(
    [...plain.matchAll(/\b(\w+)\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/gi)].map(([, cte = ""]) => cte),
  );
  const tables = [...plain.matchAll(TABLE)].map(([, table = ""]) => table.replaceAll('"', "").split(".").at(-1) ?? "");
  const table = tables.find((each) => !ctes.has(each) && !NOT_TABLES.has(each.toLowerCase()))?.slice(0, MAX_NAME);
  const summary = given?.slice(0, MAX_NAME) ?? (table === undefined ? verb : `${verb} ${table}`);
  return {
    name: summary,
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": verb,
      ...(table !== undefined && { "db.collection.name": table }),
      "db.query.summary": summary,
    },
  };
}
