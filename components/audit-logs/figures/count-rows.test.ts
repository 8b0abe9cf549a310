import { expect, test } from "vitest";
import { rowCounter } from "@/components/audit-logs/figures/count-rows";
import type { Format } from "@/lib/audit-logs/read/export-contract";

function count(format: Format, text: string, size: number): number {
  const bytes = new TextEncoder().encode(text);
  const counter = rowCounter(format);
  for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
  return counter.rows();
}

test.each([1, 3, 1000])("rows are counted in blocks of %i bytes", (size) => {
  expect(count("csv", 'id,path\r\n1,/a\r\n2,"a ""b""\r\nc"\r\n', size)).toBe(2);
  expect(count("csv", "id,path\r\n", size)).toBe(0);
  expect(count("json", '[\n{"a":1},\n{"a":"\\n"}\n]\n', size)).toBe(2);
  expect(count("json", "[\n\n]\n", size)).toBe(0);
  expect(count("json", "[\n]\n", size)).toBe(0);
  expect(count("ndjson", '{"a":1}\n{"a":2}\n{"export":{"rows":2}}\n', size)).toBe(2);
});

test("empty input has no rows", () => {
  for (const format of ["csv", "json", "ndjson"] as const) expect(count(format, "", 1)).toBe(0);
});
