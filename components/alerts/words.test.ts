import { expect, test } from "vitest";
import { entryWords } from "@/components/alerts/words";

test("an entry about a notification names its channels, and how many it leaves out", () => {
  const wordsOf = (details: Record<string, unknown>) => entryWords({ kind: "told", details });
  expect(wordsOf({ as: "opened", channels: ["Mail", "Chat"] })).toContain("Notified Mail, Chat: ");
  expect(wordsOf({ as: "opened", channels: ["Mail", "Chat"], more: 0 })).toContain("Notified Mail, Chat: ");
  expect(wordsOf({ as: "opened", channels: ["Mail"], more: 3 })).toContain("Notified Mail, 3 more channels: ");
  expect(wordsOf({ as: "opened", channels: [], more: 0 })).toContain("no channel is enabled");
});
