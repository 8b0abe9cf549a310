import { expect, test } from "vitest";
import { parseCrl } from "@/lib/certificates/revocation/crl";
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

const delta = extension(27, true, der(0x02, Uint8Array.of(1)));
const flag = (n: number) => der(0x80 + n, YES);

test.each([
  ["nothing", [], "complete", null],
  ["only users", [issuingPoint(flag(1))], "complete", "users"],
  ["only authorities", [issuingPoint(flag(2))], "complete", "authorities"],
  ["some reasons", [issuingPoint(der(0x83, Uint8Array.of(1, 2)))], "partial", null],
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
  expect(crl.find("80")).toEqual({ revokedAt: new Date("2026-11-01T00:00:00Z"), reason: "key_compromise" });
  expect(crl.find("5")).toEqual({ revokedAt: new Date("2026-11-01T00:00:00Z"), reason: null });
  expect(crl.find(Buffer.from(long).toString("hex"))?.reason).toBeNull();
  expect(crl.find("7e")).toEqual({ revokedAt: new Date("2026-11-02T00:00:00Z"), reason: null });
  expect(crl.find("06")).toBeNull();
});

test("a list may omit when the next one comes", () => {
  expect(parseCrl(list([], [], [time("261120000000Z")])).nextUpdate).toBeNull();
  expect(parseCrl(list([], [])).nextUpdate).toEqual(new Date("2026-11-27T00:00:00Z"));
});

test("a malformed list is refused", () => {
  const cut = Buffer.concat([der(0x02, Uint8Array.of(5)).subarray(0, 1), Buffer.from([0x70])]);
  expect(() => parseCrl(list([cut], []))).toThrow(RangeError);
  expect(() => parseCrl(list([], [], []))).toThrow(RangeError);
  expect(() => parseCrl(der(SEQUENCE))).toThrow(RangeError);
  const undated = parseCrl(list([der(SEQUENCE, der(0x02, Uint8Array.of(5)))], []));
  expect(() => undated.find("05")).toThrow(RangeError);
});
