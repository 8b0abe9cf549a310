import { expect, test } from "vitest";
import { findingLabels } from "@/lib/certificates/finding-labels";
import { inSentence, labelList } from "@/lib/text/labels";

test("each finding has a label of its own", () => {
  const labels = Object.values(findingLabels);
  expect(new Set(labels).size).toBe(labels.length);
});

test.each([
  [findingLabels.weak_key, "weak key"],
  [findingLabels.dns_failure, "DNS lookup failed"],
  [findingLabels.starttls_unsupported, "STARTTLS not supported"],
  ["A monitor is down", "a monitor is down"],
])("%s is %s within a sentence", (label, words) => {
  expect(inSentence(label)).toBe(words);
});

test("a description lists each code with its label", () => {
  expect(labelList({ up: "Up", dns_failure: "DNS lookup failed" })).toBe("`up`: Up; `dns_failure`: DNS lookup failed.");
});
