import { expect, test } from "vitest";
import { matches } from "@/components/palette/matches";

test.each([
  ["API keys", "", 1],
  ["API keys", "api", 1],
  ["API keys", "keys", 0.8],
  ["API keys", "key ap", 0.8],
  ["Revoke ci-deploy…", "rev ci", 0.8],
  ["Revoke ci-deploy…", "ci-deploy", 0.4],
  ["www.example.com:443", "ample", 0.4],
  ["API keys", "ks", 0],
  ["Überwachung", "über", 1],
  ["שרת ראשי", "ראשי", 0.8],
])("%s, typed %j: %d", (text, typed, score) => {
  expect(matches(text, typed)).toBe(score);
});
