import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "@/lib/search/kinds";
import { searchQuery } from "@/lib/search/search-query";

const ORGANIZATION = "01a1fcff-6680-7420-917f-1d9e34253279";
const texts = fc.oneof(
  fc.string({ minLength: 2, maxLength: 200 }).map((text) => text.toLowerCase()),
  fc.uuid(),
  fc.string({ unit: "binary", minLength: 2, maxLength: 200 }).map((text) => text.toLowerCase()),
  fc.string({ unit: fc.constantFrom(..."0af: '$%_\\"), minLength: 2, maxLength: 80 }),
);

test("every part is limited, and begins with the organization; no text becomes part of the statement", () => {
  fc.assert(
    fc.property(texts, (q) => {
      const { text, values } = searchQuery(ORGANIZATION, q);
      const parts = text.split(" UNION ALL ");
      expect(parts.length).toBeGreaterThanOrEqual(kinds.length);
      for (const part of parts) expect(part).toMatch(/WHERE organization_id = \$1 AND \(.*LIMIT 6\)$/s);
      expect(values[0]).toBe(ORGANIZATION);
      // PostgreSQL refuses parameters that the text does not use.
      const used = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
      expect([...used].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1));
      const plain = searchQuery(ORGANIZATION, /^[0-9a-f]{8}-/.test(q) ? q : "plain").text.length;
      expect(text.length).toBeLessThan(plain + 600);
    }),
  );
});

test("wildcards are characters like others", () => {
  expect(searchQuery(ORGANIZATION, "50%_\\").values).toEqual([ORGANIZATION, ["%50\\%\\_\\\\%"], ["50%_\\"]]);
});

test.each([
  ["0a".repeat(32), "sha256 ="],
  [`0A${":0a".repeat(31)}`.toLowerCase(), "sha256 ="],
  ["04:3a:9f:12", "serial_number ="],
])("certificates are found by %s", (q, condition) => {
  expect(searchQuery(ORGANIZATION, q).text).toContain(condition);
});

test("names do not read certificates", () => {
  for (const q of ["shop.example", "cafe", "sw_ab…x9zk"])
    expect(searchQuery(ORGANIZATION, q).text).not.toContain("certificates ");
});
