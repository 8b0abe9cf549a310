import { describe, expect, test } from "vitest";
import { visible } from "@/lib/text/visible";

describe("untrusted text", () => {
  test.each([
    ["CN=\u202egro.live", "CN=\\E2\\80\\AEgro.live"],
    ["a\u2066b\u2069", "a\\E2\\81\\A6b\\E2\\81\\A9"],
    ["\u061c\u200e\u200f", "\\D8\\9C\\E2\\80\\8E\\E2\\80\\8F"],
  ])("%j reads as %s", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test.each(["shop.example.com", "שלום", "ключ 🔑", "👩‍💻", "line\nline"])("%j is unchanged", (text) => {
    expect(visible(text)).toBe(text);
  });
});
