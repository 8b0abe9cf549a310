import { expect, test } from "vitest";
import { changedWords } from "@/components/certificates/endpoints/endpoint-history";
import type { Sighting } from "@/lib/certificates/history-contract";

type Changes = NonNullable<Sighting["changes"]>;

const renewal: Omit<Changes, "from"> = {
  names_added: [],
  names_removed: [],
  is_issuer_changed: false,
  is_key_changed: true,
  from_left_share: 0.3333,
};

test("changes are described in words", () => {
  expect(changedWords(null)).toBe("first seen");
  expect(changedWords(renewal as Changes)).toBe("a new key; the previous one had 33% of its lifetime left");
  expect(
    changedWords({
      ...renewal,
      is_issuer_changed: true,
      is_key_changed: false,
      names_added: ["a.test", "b.test"],
      names_removed: ["c.test"],
      from_left_share: 0,
    } as Changes),
  ).toBe(
    "another issuer; the same key; names added: a.test, b.test; names removed: c.test; the previous one had 0% of its lifetime left",
  );
});
