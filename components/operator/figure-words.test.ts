import { expect, test } from "vitest";
import { countWords, lagWords, sizeWords } from "@/components/operator/figure-words";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1536, "1.5 KiB"],
  [150 * 2 ** 20, "150 MiB"],
  [3.4 * 2 ** 30, "3.4 GiB"],
  [5000 * 2 ** 40, "5000 TiB"],
])("%d bytes are %s", (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

test.each([
  [0, "0 s"],
  [119, "119 s"],
  [600, "10 min"],
  [36_000, "10 h"],
  [864_000, "10 days"],
])("%d seconds are %s", (seconds, words) => {
  expect(lagWords(seconds)).toBe(words);
});

test("numbers have separators", () => {
  expect(countWords(1234567)).toBe("1,234,567");
});
