import { expect, test } from "vitest";
import { discoveryWords, issuerWords } from "@/components/subdomains/words";

test.each([
  ["CN=R11,O=Let's Encrypt,C=US", "Let's Encrypt"],
  ["CN=G2,O=DigiCert\\, Inc.,C=US", "DigiCert, Inc."],
  ["CN=Alone", "Alone"],
  ["nothing known", "nothing known"],
])("%s is %s", (issuer, words) => {
  expect(issuerWords(issuer)).toBe(words);
});

const NOW = Date.parse("2026-11-29T12:00:00Z");
const startsIn = (seconds: number, state: "ok" | "running" = "ok") => ({
  state,
  next_run_at: new Date(NOW + seconds * 1_000).toISOString(),
});
const STARTED = "Discovery has started. Results appear as they arrive.";

test.each([
  ["one is due", [startsIn(720), startsIn(1)], STARTED],
  ["one runs", [startsIn(720), startsIn(720, "running")], STARTED],
  ["all rest", [startsIn(900), startsIn(720)], "Discovery ran recently. It runs again in 12 minutes."],
])("discovery was asked for, and %s", (_, sources, words) => {
  expect(discoveryWords(sources, NOW)).toBe(words);
});
