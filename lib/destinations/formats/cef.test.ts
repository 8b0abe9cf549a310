import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { cefExtension, cefFormat, cefHeader, cefLengths } from "@/lib/destinations/formats/cef";
import { encodeOmission } from "@/lib/destinations/formats/omission";
import { anySentEvent, malformedTexts, SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

const encode = (event: SentEvent) => cefFormat.encode(event, { origin: SENT_ORIGIN });

interface Parsed {
  header: string[];
  extension: Record<string, string>;
}

/** Reads a line by the rules of CEF ("Character Encoding"). Throws if it breaks one. */
function parse(line: string): Parsed {
  if (/[\p{Cc}\u2028\u2029]/u.test(line)) throw new Error("a control character or line break");
  const header: string[] = [];
  let [field, at] = ["", 0];
  while (header.length < 7) {
    const character = line[at++];
    if (character === undefined) throw new Error("the header ends early");
    if (character === "\\") {
      const escaped = line[at++];
      if (escaped !== "\\" && escaped !== "|") throw new Error(`\\${escaped} in the header`);
      field += escaped;
    } else if (character === "|") {
      header.push(field);
      field = "";
    } else field += character;
  }
  return { header, extension: parseExtension(line.slice(at)) };
}

/** A key begins after a space and ends at an `=` that is not escaped. */
function parseExtension(text: string): Record<string, string> {
  const starts = [...text.matchAll(/(?:^| )([A-Za-z0-9]+)(?<!\\)=/g)];
  const pairs = starts.map((start, position) => {
    const value = text.slice(start.index + start[0].length, starts[position + 1]?.index);
    return [start[1] ?? "", unescapeValue(value)] as const;
  });
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error("a key occurs twice");
  return Object.fromEntries(pairs);
}

function unescapeValue(value: string): string {
  if (/(?<!\\)(?:\\\\)*=/.test(value)) throw new Error("an = that is not escaped");
  const escapes: Record<string, string> = { "\\": "\\", "=": "=", n: "\n", r: "\r" };
  return value.replace(/\\(.?)/gsu, (_, character: string) => {
    const unescaped = escapes[character];
    if (unescaped === undefined) throw new Error(`\\${character} in a value`);
    return unescaped;
  });
}

const faultsOf = ({ header, extension }: Parsed): string[] => {
  const faults = Object.entries(extension).flatMap(([key, value]) => {
    const max = cefLengths[key as keyof typeof cefLengths];
    return max === undefined ? [`${key} is unknown`] : value.length > max ? [`${key} is longer than ${max}`] : [];
  });
  const [version, vendor, product, device, id, name, severity = ""] = header;
  if (version !== "CEF:0" || vendor !== "Sealwatch" || product !== "Sealwatch") faults.push("header");
  if (!device || !id || !name) faults.push("an empty field of the header");
  if (!/^(?:\d|10)$/.test(severity)) faults.push(`severity ${severity}`);
  for (const key of ["rt", "cn1", "cn2"]) if (!/^\d+$/.test(extension[key] ?? "")) faults.push(`${key} is no number`);
  for (const key of Object.keys(extension)) {
    if (/^(?:c6a|cn|cs|flexString)\d$/.test(key) && !extension[`${key}Label`]) faults.push(`${key} has no label`);
  }
  return faults;
};

describe("a line", () => {
  test("can be read by the rules of CEF, whatever the event", () => {
    fc.assert(
      fc.property(anySentEvent, (any) => {
        const line = encode(any);
        expect(faultsOf(parse(line))).toEqual([]);
        expect(malformedTexts(line)).toEqual([]);
        expect(Buffer.byteLength(line)).toBeLessThan(150_000);
      }),
      { numRuns: 100 },
    );
  });

  test("gives values back as they were", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "=", "\\", "|", "\n", "\r", " ", "n", "é") }), (value) => {
        fc.pre(value !== "");
        const line = `${cefHeader(["Sealwatch", "Sealwatch", "1", "a|b\\", "c", "1"])}${cefExtension({ msg: value, rt: 1 })}`;
        expect(parse(line)).toEqual({
          header: ["CEF:0", "Sealwatch", "Sealwatch", "1", "a|b\\", "c", "1"],
          extension: { msg: value, rt: "1" },
        });
      }),
    );
  });

  test("escapes as the specification says", () => {
    expect(cefHeader(["security", "threat|manager", "1.0", "100", "detected a \\ in packet", "10"])).toBe(
      "CEF:0|security|threat\\|manager|1.0|100|detected a \\\\ in packet|10|",
    );
    expect(cefExtension({ act: "blocked a = sign", msg: "first\nsecond\\|" })).toBe(
      "act=blocked a \\= sign msg=first\\nsecond\\\\|",
    );
  });

  test("of an event", () => {
    const { header, extension } = parse(encode(sentEvent));
    expect(header).toEqual(["CEF:0", "Sealwatch", "Sealwatch", "1", "api_key.create", "api key create", "3"]);
    expect(extension).toMatchObject({
      rt: String(Date.parse(sentEvent.occurred_at)),
      externalId: sentEvent.id,
      cat: "security",
      outcome: "success",
      src: "192.0.2.7",
      suser: "ada@example.com",
      duser: "deploy",
      requestMethod: "POST",
      request: "/api/v1/api-keys",
      cn1: "7",
      cn1Label: "Log index",
      cs6: SENT_ORIGIN,
    });
  });

  test("has IPv6 addresses in a custom field", () => {
    const client = { ip_address: "2001:db8::7", user_agent: null, country: null };
    const { extension } = parse(encode({ ...sentEvent, client }));
    expect(extension).toMatchObject({ c6a2: "2001:db8::7", c6a2Label: "Source IPv6 Address" });
    expect(extension).not.toHaveProperty("src");
  });

  test("of entries that are not sent", () => {
    const context = { origin: SENT_ORIGIN, epoch: 2, now: 5 };
    const line = encodeOmission("cef", { first: 3, end: 9, entries: 6, reason: "expired", hashes: null }, context);
    const parsed = parse(String(line));
    expect(faultsOf(parsed)).toEqual([]);
    expect(parsed.extension).toMatchObject({ act: "omitted", reason: "expired", cn1: "3", cn2: "2", cn3: "8" });
  });
});
