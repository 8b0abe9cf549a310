import { expect, test } from "vitest";
import { RecentlyUsed } from "@/lib/caches/recently-used";

const keysOf = (cache: RecentlyUsed<string>, keys: string) => [...keys].filter((key) => cache.has(key)).join("");

test("forgets what was used longest ago, beyond a count", () => {
  const cache = new RecentlyUsed<string>({ count: 2, bytes: 100 });
  cache.set("a", "A", { bytes: 1 });
  cache.set("b", "B", { bytes: 1 });
  expect(cache.get("a")).toBe("A");
  cache.set("c", "C", { bytes: 1 });
  expect(keysOf(cache, "abc")).toBe("ac");
  expect(cache.get("b")).toBeUndefined();
});

test("forgets as much as a value of many bytes needs, and counts a value again when it is replaced or deleted", () => {
  const cache = new RecentlyUsed<string>({ count: 10, bytes: 100 });
  for (const key of "abcd") cache.set(key, key, { bytes: 25 });
  expect(keysOf(cache, "abcd")).toBe("abcd");
  cache.set("e", "e", { bytes: 50 });
  expect(keysOf(cache, "abcde")).toBe("cde");
  cache.set("e", "e", { bytes: 10 });
  cache.delete("c");
  cache.delete("c");
  cache.set("f", "f", { bytes: 65 });
  expect(keysOf(cache, "cdef")).toBe("def");
  cache.set("g", "g", { bytes: 101 });
  expect(keysOf(cache, "defg")).toBe("");
});

test("an owner with many values loses its own, not those of others", () => {
  const cache = new RecentlyUsed<string>({ count: 4, bytes: 100 });
  cache.set("a", "A", { bytes: 1, owner: "acme" });
  for (const key of "nopqrstuv") cache.set(key, key, { bytes: 1, owner: "hostile" });
  expect(keysOf(cache, "anopqrstuv")).toBe("atuv");
  cache.set("b", "B", { bytes: 90, owner: "acme" });
  expect(keysOf(cache, "abtuv")).toBe("abuv");
  // Too many values, most of which are hostile's, and then too many bytes, most of which are acme's.
  cache.set("w", "W", { bytes: 9, owner: "hostile" });
  expect(keysOf(cache, "abuvw")).toBe("bvw");
});
