import ipaddr from "ipaddr.js";
import * as z from "zod";
import { parseAddress, parseName } from "@/lib/network/host";
import { answerMatches, type RecordType, recordTypes } from "@/lib/uptime/record-types";

/** A name server's address. */
interface Server {
  host: string;
  port: number;
}

/** Parses `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. Throws an Error whose message is a predicate. */
export function parseResolver(text: string): Server {
  const [, bracketed, v4 = text, digits = "53"] = /^(?:\[([^\]]*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw new Error("must have a port from 1 to 65535");
  try {
    return { host: parseAddress(bracketed ?? v4), port };
  } catch {
    throw new Error("must be the address of a name server, such as 192.0.2.53 or [2001:db8::53]:5353");
  }
}

/** The name, or for PTR the address, that is looked up. Throws an Error whose message is a predicate. */
export function parseLookup(text: string, type: RecordType): string {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return type === "PTR" && isAddress ? parseAddress(text) : parseName(text);
}

function resolverFault(text: string): string | null {
  try {
    parseResolver(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What monitors of the type dns ask and expect. */
export const dnsSettings = z
  .strictObject({
    record_type: z.enum(recordTypes),
    resolver: z
      .string()
      .max(60, "must have at most 60 characters")
      .superRefine((text, context) => {
        const fault = resolverFault(text);
        if (fault !== null) context.addIssue({ code: "custom", message: fault });
      })
      .nullable()
      .default(null)
      .describe(
        "The address of the name server to ask, with a port if it is not 53: `192.0.2.53`, `[2001:db8::53]:5353`. By default those of this installation.",
      ),
    expected: z
      .array(z.string().min(1, "must not be empty").max(500, "must have at most 500 characters"))
      .max(20, "must have at most 20 entries")
      .default([])
      .describe(
        "Answers as `dig +short` writes them: `192.0.2.1`, `10 mail.example.com`, `0 issue letsencrypt.org`. Case and final dots do not matter, except in TXT, which may be given with or without quotation marks; of SOA, the beginning suffices. Without any, every answer passes.",
      ),
    match: z
      .enum(answerMatches)
      .default("any")
      .describe("Whether the answer must have `any` or `all` of `expected`, or `exactly` these."),
    expect_nxdomain: z.boolean().default(false).describe("The name must not exist (NXDOMAIN)."),
  })
  .refine(({ expected, expect_nxdomain }) => !expect_nxdomain || expected.length === 0, {
    path: ["expected"],
    message: "must be empty if the name must not exist",
  });
export type DnsSettings = z.output<typeof dnsSettings>;

/** Strings as `dig` writes them: `"v=spf1 -all"`, or `"part 1" "part 2"` for a long record. */
const QUOTED = /^\s*"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*\s*$/s;

/** The text of a TXT record that is expected, whose strings may be quoted and escaped: `\"`, `\\`, or a byte as three decimal digits. */
function expectedText(text: string): string {
  if (!QUOTED.test(text)) return text;
  const strings = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, string]) => string);
  return strings
    .join("")
    .replace(/\\(?:(\d{3})|(.))/gs, (_, byte: string | undefined, other: string) =>
      byte === undefined ? other : String.fromCharCode(Number(byte)),
    );
}

/** An answer in the form in which it is compared. */
function comparable(answer: string, type: RecordType): string {
  if (type === "TXT") return answer;
  if (type === "AAAA" && ipaddr.IPv6.isValid(answer.trim())) return ipaddr.IPv6.parse(answer.trim()).toString();
  return answer
    .trim()
    .toLowerCase()
    .replaceAll('"', "")
    .split(/\s+/)
    .map((word) => word.replace(/(?<=.)\.$/, ""))
    .join(" ");
}

/** Whether the answers of a name server are as expected. */
export function isExpectedAnswer(
  answers: readonly string[],
  { record_type: type, expected, match }: Pick<DnsSettings, "record_type" | "expected" | "match">,
): boolean {
  if (answers.length === 0 || expected.length === 0) return answers.length > 0;
  const got = answers.map((answer) => comparable(answer, type));
  const wanted = expected.map((answer) => (type === "TXT" ? expectedText(answer) : comparable(answer, type)));
  const fits = (one: string, want: string) => one === want || (type === "SOA" && one.startsWith(`${want} `));
  const isFound = (want: string) => got.some((one) => fits(one, want));
  if (match === "any") return wanted.some(isFound);
  const isAll = wanted.every(isFound);
  return match === "all" ? isAll : isAll && got.every((one) => wanted.some((want) => fits(one, want)));
}
