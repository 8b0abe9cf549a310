import { protocols } from "@/lib/certificates/targets";
import { parseCsv } from "@/lib/text/csv";

/** One endpoint of an import: its fields before validation, or why there are none. */
export interface ImportItem {
  line: number;
  /** Identifies the line in results. */
  target: string;
  fields: Record<string, unknown> | string;
}

/** The columns of a CSV, and how to convert their text. */
const renewal = ["owner", "renewal_method", "renewal_note", "renewal_link"];
const texts = ["host", "protocol", "sni", "connect_to", "address_mode", "trust_store_id", "agent_id", ...renewal];
const numbers = ["port", "interval_seconds", "max_lifetime_days"];
const lists = ["expected_issuers", "expected_accounts", "pins"];
/** Read-only columns of an export; an import skips them. */
const readOnly = [
  ...["id", "status", "findings", "certificate_sha256", "not_after", "renewal_due_at", "last_checked_at", "created_at"],
];
const columns = [...texts, ...numbers, ...lists, "tags", "reported", ...readOnly];

/** Text that is not a number stays text, so that the field's validation reports it. */
function toNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Text that is not JSON stays text, so that the field's validation reports it. */
function toList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toField(column: string, text: string): unknown {
  if (numbers.includes(column)) return toNumber(text);
  if (lists.includes(column)) return toList(text);
  if (column === "trust_store_id" && text === "none") return null;
  if (column === "tags") return text.split(/[\s,;]+/).filter((tag) => tag !== "");
  if (column === "reported") return { true: true, false: false }[text] ?? text;
  return text;
}

/** Parses a line such as `example.com`, `example.com:8443`, `[2001:db8::1]:443` or `smtp://mail.example.com`. */
export function parseLine(line: string): Record<string, unknown> | string {
  const [, protocol, rest = ""] = /^(?:([a-z0-9]+):\/\/)?(.*)$/i.exec(line) ?? [];
  if (protocol !== undefined && !protocols.some((known) => known === protocol.toLowerCase())) {
    return `protocol: must be one of ${protocols.join(", ")}`;
  }
  const [, bracketed, plain = "", port] = /^(?:\[([^\]]*)\]|([^:/]*))(?::([^/:]*))?\/?$/.exec(rest) ?? [];
  // An IPv6 address without brackets has no port.
  const host = bracketed ?? (plain === "" ? rest : plain);
  return {
    host,
    ...(port !== undefined && { port: toNumber(port) }),
    ...(protocol !== undefined && { protocol: protocol.toLowerCase() }),
  };
}

/** Maximum number of lines of a text, including comments and empty lines, and of characters of a line quoted in a result. */
const MAX_LINES = 10_000;
const LONGEST_TARGET = 300;

/** The endpoints of a text with one per line. Throws for too many lines. */
export function readLines(text: string): ImportItem[] {
  if (text.split(/\r\n|\n|\r/, MAX_LINES + 1).length > MAX_LINES)
    throw new Error(`must have at most ${MAX_LINES} lines`);
  return text.split(/\r\n|\n|\r/).flatMap((whole, at) => {
    const target = whole.replace(/(^|\s)#.*$/, "").trim();
    return target === "" ? [] : [{ line: at + 1, target: target.slice(0, LONGEST_TARGET), fields: parseLine(target) }];
  });
}

/** The endpoints of a CSV with a header. Throws for an invalid file. */
export function readCsv(text: string): ImportItem[] {
  const [header, ...rows] = parseCsv(text);
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  if (!names.includes("host")) throw new Error("the first line must contain column names, including host");
  const unknown = names.find((name) => !columns.includes(name));
  if (unknown !== undefined) throw new Error(`the column ${JSON.stringify(unknown)} is unknown`);
  return rows.map(({ line, cells }) => {
    const given = names.flatMap((name, at) => {
      const cell = cells[at]?.trim() ?? "";
      return cell === "" || readOnly.includes(name) ? [] : [[name, toField(name, cell)] as const];
    });
    const fields = Object.fromEntries(given);
    const target = [fields.host, fields.port]
      .filter((part) => part !== undefined)
      .join(":")
      .slice(0, LONGEST_TARGET);
    return { line, target, fields: cells.length > names.length ? "has more cells than the first line" : fields };
  });
}
