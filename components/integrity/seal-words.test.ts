import { describe, expect, test } from "vitest";
import { sealWords } from "@/components/integrity/seal-words";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";

const at = "2026-11-23T08:00:00.000Z";
const log: SealedLog = {
  ...{
    origin: "example.com/log/a/0/1",
    vkey: "key",
    keys: [],
    epoch: 1,
    size: 12,
    root: "root",
    checkpoint: "note",
    signed_at: at,
  },
  ...{
    oldest_index: 0,
    lag_seconds: null,
    refused: null,
    is_importing: false,
    stamps: [],
    witnesses: [],
    self_check: null,
  },
};
const failed = { at, result: "failed" as const, size: 12, first_wrong_index: 1_204, message: "Its path differs." };

describe("the state of a sealed log in words", () => {
  test.each<[Partial<SealedLog>, string, string]>([
    [{}, "good", "Every entry is sealed"],
    [{ lag_seconds: 2 }, "seal", "Sealing"],
    [{ is_importing: true, lag_seconds: 2 }, "seal", "Sealing older entries"],
    [{ size: 0, checkpoint: null }, "neutral", "Nothing sealed yet"],
    [
      { self_check: { ...failed, result: "ok", first_wrong_index: null, message: null } },
      "good",
      "Every entry is sealed",
    ],
  ])("%o has no problem", (state, tone, label) => {
    expect(sealWords({ ...log, ...state })).toEqual({ tone, label, problem: null });
  });

  test("a failed self-check comes before all else, with the index and the reason", () => {
    const words = sealWords({ ...log, self_check: failed, refused: "It was signed.", lag_seconds: 900 });
    expect(words).toMatchObject({ tone: "bad", label: "Changed" });
    expect(words.problem).toContain("#1,204. Its path differs.");
  });

  test("of an event without an entry there is no index", () => {
    const { problem } = sealWords({ ...log, self_check: { ...failed, first_wrong_index: null } });
    expect(problem).toBe("The stored log does not match what was sealed. Its path differs.");
  });

  test("a refusal has its reason, and events that wait say for how long", () => {
    const refused = sealWords({
      ...log,
      refused: "Its first 5 events are not those that were signed.",
      lag_seconds: 900,
    });
    expect(refused).toMatchObject({ tone: "bad", problem: expect.stringContaining("Its first 5 events") });
    expect(sealWords({ ...log, lag_seconds: 61 })).toMatchObject({
      ...{ tone: "warn", label: "Behind", problem: expect.stringContaining("1 minute") },
    });
  });
});
