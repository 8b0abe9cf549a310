import fc from "fast-check";
import { expect, test } from "vitest";
import { contains, TextSearch } from "@/lib/uptime/matching/text-search";

test("agrees with Buffer.includes, in whichever parts the text comes", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\u00e9"), maxLength: 40 });
  const wanted = fc.string({ unit: fc.constantFrom("a", "b", "\u00e9"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(text, wanted, fc.nat(60), (text, wanted, at) => {
      const body = Buffer.from(text);
      const search = new TextSearch(wanted);
      const parts = [body.subarray(0, at), body.subarray(at)].map((part) => search.add(part));
      expect(parts).toEqual([body.subarray(0, at).includes(wanted), body.includes(wanted)]);
      expect(contains(body, wanted)).toBe(body.includes(wanted));
    }),
  );
});

test("a text that was made to be slow takes no longer than others", () => {
  const body = Buffer.alloc(1024 * 1024, "a");
  const before = process.cpuUsage();
  expect(contains(body, `${"a".repeat(250)}b${"a".repeat(249)}`)).toBe(false);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(60);
});
