import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slugOf } from "@/lib/text/shapes/slug";

/** Any UTF-16 code unit, including lone surrogates. */
const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));

describe("the slug of a name", () => {
  test.each([
    ["Acme", "acme"],
    ["Acme  Inc.", "acme-inc"],
    ["Zürich Café", "zurich-cafe"],
    ["Łódź", "odz"],
    ["İzmir", "izmir"],
    ["ﬁne print", "fine-print"],
    ["Ada’s organization", "ada-s-organization"],
    ["株式会社", "organization"],
    ["---", "organization"],
    ["", "organization"],
    ["a".repeat(80), "a".repeat(50)],
    [`${"a".repeat(49)} b`, "a".repeat(49)],
  ])("%j is %s", (name, slug) => {
    expect(slugOf(name, "organization")).toBe(slug);
  });

  test("is always words of letters and digits, 1 to 50 characters long", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), (name) => {
        const slug = slugOf(name, "organization");
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(50);
        expect(slugOf(slug, "organization")).toBe(slug);
      }),
    );
  });
});
