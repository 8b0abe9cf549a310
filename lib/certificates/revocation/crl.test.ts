import { expect, test } from "vitest";
import { type Crl, parseCrl } from "@/lib/certificates/revocation/crl";
import { der } from "@/lib/sealed-log/time-stamp";

const SEQUENCE = 0x30;
const YES = Uint8Array.of(0xff);
const time = (text: string) => der(0x17, Buffer.from(text));
const oid = (last: number) => der(0x06, Uint8Array.of(0x55, 0x1d, last));
const extension = (last: number, isCritical: boolean, value: Uint8Array) =>
  der(SEQUENCE, oid(last), ...(isCritical ? [der(0x01, YES)] : []), der(0x04, value));
const issuingPoint = (...fields: Uint8Array[]) => extension(28, true, der(SEQUENCE, ...fields));
const entry = (serial: Uint8Array, reason?: number) =>
  der(
    SEQUENCE,
    der(0x02, serial),
    time("261101000000Z"),
    ...(reason === undefined ? [] : [der(SEQUENCE, extension(21, false, der(0x0a, Uint8Array.of(reason))))]),
  );

/** An unsigned list of these entries with these extensions. */
function list(entries: Uint8Array[], extensions: Uint8Array[], dates = [time("261120000000Z"), time("261127000000Z")]) {
  const tbs = der(
    SEQUENCE,
    der(0x02, Uint8Array.of(1)),
    der(SEQUENCE),
    der(SEQUENCE),
    ...dates,
    ...(entries.length > 0 ? [der(SEQUENCE, ...entries)] : []),
    ...(extensions.length > 0 ? [der(0xa0, der(SEQUENCE, ...extensions))] : []),
  );
  return der(SEQUENCE, tbs, der(SEQUENCE), der(0x03, Uint8Array.of(0)));
}

/** The entry of the serial number with these bytes. */
const find = (crl: Crl, ...serial: number[]) => crl.find({ serialBytes: Uint8Array.from(serial) });

const delta = extension(27, true, der(0x02, Uint8Array.of(1)));
const flag = (n: number) => der(0x80 + n, YES);

test.each([
  ["nothing", [], "complete", null],
  ["only users", [issuingPoint(flag(1))], "complete", "users"],
  ["only authorities", [issuingPoint(flag(2))], "complete", "authorities"],
  ["some reasons", [issuingPoint(der(0x83, Uint8Array.of(1, 2)))], "partial", null],
  ["all eight reasons of the first byte", [issuingPoint(der(0x83, Uint8Array.of(0, 0xff)))], "partial", null],
  ["a point in a directory", [issuingPoint(der(0xa0, der(0xa0, der(0xa4, der(SEQUENCE)))))], "partial", null],
  ["a point relative to the issuer", [issuingPoint(der(0xa0, der(0xa1, der(SEQUENCE))))], "partial", null],
  ["a point with a URL", [issuingPoint(der(0xa0, der(0xa0, der(0x86, Buffer.from("http://a/")))))], "complete", null],
  ["attributes", [issuingPoint(flag(5))], "partial", null],
  ["other issuers' certificates", [issuingPoint(flag(4))], "indirect", null],
  ["changes of an earlier list", [delta, issuingPoint(flag(4))], "delta", null],
])("a list that says %s has this scope", (_, extensions, scope, onlyFor) => {
  expect(parseCrl(list([], extensions))).toMatchObject({ scope, onlyFor, unknownCritical: [] });
});

test("critical extensions that do not say what a list covers are named, others are not", () => {
  const unknown = [1, 2, 3, 4, 6, 7].map((last) => extension(last, true, der(0x05)));
  const { unknownCritical } = parseCrl(list([], [extension(20, false, der(0x02, YES)), delta, ...unknown]));
  expect(unknownCritical).toEqual(["2.5.29.1", "2.5.29.2", "2.5.29.3", "2.5.29.4", "2.5.29.6"]);
});

test("entries are found by serial number, however it is written", () => {
  const long = Uint8Array.from({ length: 19 }, (_, at) => at + 1);
  // Enough for an entry whose length needs two bytes.
  const padded = der(SEQUENCE, extension(24, false, new Uint8Array(200)));
  const large = der(SEQUENCE, der(0x02, Uint8Array.of(0x7e)), time("261102000000Z"), padded);
  const crl = parseCrl(list([entry(Uint8Array.of(0, 0x80), 1), entry(Uint8Array.of(5)), entry(long, 99), large], []));
  const at = new Date("2026-11-01T00:00:00Z");
  expect(find(crl, 0x80)).toEqual({ revokedAt: at, reason: "key_compromise" });
  expect(find(crl, 5)).toEqual({ revokedAt: at, reason: null });
  expect(find(crl, ...long)?.reason).toBeNull();
  expect(find(crl, 0x7e)).toEqual({ revokedAt: new Date("2026-11-02T00:00:00Z"), reason: null });
  expect(find(crl, 6)).toBeNull();
});

test("entries of unusual serial numbers are found", () => {
  const endless = new Uint8Array(300).fill(9);
  const crl = parseCrl(
    list(
      [Uint8Array.of(0), Uint8Array.of(0xfb), endless].map((serial) => entry(serial)),
      [],
    ),
  );
  expect([find(crl), find(crl, 0xfb), find(crl, ...endless)]).not.toContain(null);
  expect(find(crl, 9)).toBeNull();
});

test("many equal entries, and many elements where few belong, take no more time or memory than others", () => {
  const many = (element: Uint8Array) => Buffer.alloc(4 * 2 ** 20 - (2 ** 22 % element.length), element);
  const crl = parseCrl(list([many(entry(Uint8Array.of(5)))], []));
  expect(find(crl, 6)).toBeNull();
  const nulls = many(der(0x05));
  const flooded = [
    der(SEQUENCE, nulls),
    der(SEQUENCE, der(SEQUENCE, nulls), der(SEQUENCE), der(0x03)),
    list([], [nulls]),
    list([], [der(SEQUENCE, nulls)]),
    list([], [issuingPoint(nulls)]),
    list([], [issuingPoint(der(0xa0, der(0xa0, nulls)))]),
  ];
  for (const each of flooded) expect(() => parseCrl(each)).toThrow("too many elements");
  expect(() => find(parseCrl(list([nulls], [])), 5)).toThrow("no entry");
  expect(() => find(parseCrl(list([der(SEQUENCE, der(0x02, Uint8Array.of(5)), nulls)], [])), 5)).toThrow(
    "too many elements",
  );
});

test("a list may omit when the next one comes", () => {
  expect(parseCrl(list([], [], [time("261120000000Z")])).nextUpdate).toBeNull();
  expect(parseCrl(list([], [])).nextUpdate).toEqual(new Date("2026-11-27T00:00:00Z"));
});

test("a malformed list is refused", () => {
  const cut = Buffer.concat([der(0x02, Uint8Array.of(5)).subarray(0, 1), Buffer.from([0x70])]);
  for (const malformed of [cut, der(0x05), der(SEQUENCE), der(SEQUENCE, der(0x05)), Buffer.from("30800000", "hex")])
    expect(() => find(parseCrl(list([malformed], [])), 5)).toThrow(RangeError);
  expect(() => parseCrl(list([], [], []))).toThrow(RangeError);
  expect(() => parseCrl(der(SEQUENCE))).toThrow(RangeError);
  const five = { serialBytes: Uint8Array.of(5) };
  const undated = parseCrl(list([der(SEQUENCE, der(0x02, Uint8Array.of(5)))], []));
  for (let n = 0; n < 2; n++) expect(() => undated.find(five)).toThrow("no revocation date");
});
