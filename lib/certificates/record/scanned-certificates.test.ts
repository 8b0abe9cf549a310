import { expect, test } from "vitest";
import type { Known, NextRow } from "@/lib/certificates/record/record-endpoints";
import { scannedOf } from "@/lib/certificates/record/scanned-certificates";

/** What was observed at addresses, one certificate or failure at each. */
const seen = (ids: readonly (string | null)[]) =>
  ids.map((certificate_id, at) => ({ address: `10.0.0.${at}`, certificate_id, reason: null }));

const scan = (...ids: string[]) => ({ shown: { certificates: ids.map((id) => ({ id })) } }) as Known["tls_scan"];

interface Check {
  before?: readonly (string | null)[];
  scannedBefore?: Known["tls_scan"];
  now: readonly (string | null)[];
  scanned?: NextRow["tls_scan"];
}

/** The certificates that are written; null if nothing is. */
function written({ before = ["A"], scannedBefore = null, now, scanned = null }: Check): readonly string[] | null {
  const row = { organization_id: "o", id: "e", observed: seen(before), tls_scan: scannedBefore };
  return scannedOf(row, { observed: seen(now), tls_scan: scanned })[0]?.certificate_ids ?? null;
}

test.each<[string, Check, readonly string[] | null]>([
  ["a check without a scan", { now: ["A"], scannedBefore: scan("A", "B") }, null],
  ["a scan of one certificate", { now: ["A"], scanned: scan("A") }, []],
  ["a scan of two", { now: ["A"], scanned: scan("A", "B") }, ["A", "B"]],
  ["addresses with different ones", { now: ["A", "C", null, "A"] }, ["A", "C"]],
  ["these, after a scan of one address", { now: ["A", "C"], scannedBefore: scan("A", "B") }, ["A", "C", "B"]],
  ["these, after a scan of others", { now: ["C", "D"], scannedBefore: scan("A", "B") }, ["C", "D"]],
  ["addresses that no longer differ", { before: ["A", "C"], now: ["A", "A"] }, []],
  ["these, after a scan", { before: ["A", "C"], now: ["A"], scannedBefore: scan("A", "B") }, ["A", "B"]],
  ["a first failure of an address", { before: ["A", "C"], now: ["A", null] }, ["A", "C"]],
  ["a first failure of the first address", { before: ["A", "C"], now: [null, "C"] }, ["C", "A"]],
  ["a second failure", { before: ["A", null], now: ["A", null] }, []],
  ["an address that serves again", { before: ["A", null], now: ["A", "C"] }, ["A", "C"]],
  ["an address that serves the same as others after a failure", { before: ["A", null], now: ["A", "A"] }, []],
  ["a failure, after a scan", { before: ["A", "C"], now: ["A", null], scannedBefore: scan("A", "B") }, ["A", "C", "B"]],
])("what is written of %s", (_, check, ids) => {
  expect(written(check)).toEqual(ids);
});

test("nothing is written of a check that saw no certificate", () => {
  const row = { organization_id: "o", id: "e", observed: seen(["A", "C"]), tls_scan: scan("A", "B") };
  expect(scannedOf(row, { observed: null, tls_scan: null })).toEqual([]);
});
