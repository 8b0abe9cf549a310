import { describe, expect, test } from "vitest";
import { readNameConstraints, violates } from "@/lib/certificates/x509/name-constraints";
import { der } from "@/lib/sealed-log/time-stamp";

const SEQUENCE = 0x30;
const DNS = 0x82;
const IP = 0x87;
const tree = (tag: number, base: Uint8Array, ...range: Uint8Array[]) => der(SEQUENCE, der(tag, base), ...range);
const domain = (name: string) => tree(DNS, Buffer.from(name));
const permitted = (...trees: Uint8Array[]) => der(0xa0, ...trees);
const excluded = (...trees: Uint8Array[]) => der(0xa1, ...trees);
const dns = (value: string) => ({ type: "dns", value }) as const;
const ip = (...bytes: number[]) => ({ type: "ip", value: Uint8Array.from(bytes) }) as const;

test("a domain permits itself and what is below it; an exclusion is stronger", () => {
  const read = readNameConstraints(
    der(SEQUENCE, permitted(domain("Example.com"), domain(".example.org")), excluded(domain("no.example.com"))),
  );
  expect(read.count).toBe(3);
  const judged = ["example.com", "WWW.example.com", "notexample.com", "a.no.example.com", "no.example.com"];
  expect(judged.map((name) => violates(read, dns(name)))).toEqual([
    null,
    null,
    "not_permitted",
    "excluded",
    "excluded",
  ]);
  // One that begins with a dot has only the names below it.
  expect(["example.org", "a.example.org"].map((name) => violates(read, dns(name)))).toEqual(["not_permitted", null]);
  // Nothing is said about addresses.
  expect(violates(read, ip(192, 0, 2, 1))).toBeNull();
});

test("a network permits the addresses of its own family", () => {
  const network = tree(IP, Uint8Array.of(192, 0, 2, 0, 255, 255, 255, 0));
  const read = readNameConstraints(der(SEQUENCE, permitted(network)));
  expect(violates(read, ip(192, 0, 2, 200))).toBeNull();
  expect(violates(read, ip(192, 0, 3, 1))).toBe("not_permitted");
  expect(violates(read, ip(...new Array<number>(16).fill(0)))).toBe("not_permitted");
  expect(violates(read, dns("example.com"))).toBeNull();
});

describe("what RFC 5280 does not allow is malformed", () => {
  test.each([
    ["another element", der(0x31, permitted(domain("a.test")))],
    ["a field that is neither permitted nor excluded", der(SEQUENCE, der(0xa2, domain("a.test")))],
    ["permitted names twice", der(SEQUENCE, permitted(domain("a.test")), permitted(domain("b.test")))],
    ["excluded names twice", der(SEQUENCE, excluded(domain("a.test")), excluded(domain("b.test")))],
    ["bytes after the end", Buffer.concat([der(SEQUENCE, permitted(domain("a.test"))), Buffer.from([0])])],
    ["a minimum", der(SEQUENCE, permitted(tree(DNS, Buffer.from("a.test"), der(0x80, Uint8Array.of(1)))))],
    ["an empty space", der(SEQUENCE, permitted(der(SEQUENCE)))],
    ["an address without a mask", der(SEQUENCE, permitted(tree(IP, Uint8Array.of(192, 0, 2, 0))))],
  ])("%s", (_, value) => {
    expect(() => readNameConstraints(value)).toThrow(RangeError);
  });
});
