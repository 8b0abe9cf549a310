import { expect, test } from "vitest";
import { entryWords, noMessagesWords } from "@/components/alerts/words";

test("an entry about a notification names its channels, and how many it leaves out", () => {
  const wordsOf = (details: Record<string, unknown>) => entryWords({ kind: "told", details });
  expect(wordsOf({ as: "opened", channels: ["Mail", "Chat"] })).toContain("Notified Mail, Chat: ");
  expect(wordsOf({ as: "opened", channels: ["Mail", "Chat"], more: 0 })).toContain("Notified Mail, Chat: ");
  expect(wordsOf({ as: "opened", channels: ["Mail"], more: 3 })).toContain("Notified Mail, 3 more channels: ");
  expect(wordsOf({ as: "opened", channels: [], more: 0 })).toContain("no channel is enabled");
});

test("only an entry without channels says that no channel was enabled", () => {
  const told = (...channels: string[]) => ({ kind: "told" as const, details: { as: "opened", channels } });
  const opened = { kind: "opened" as const, details: {} };
  expect(noMessagesWords([opened])).toContain("none was due, or it was held back");
  expect(noMessagesWords([opened, told("Mail"), told()])).toContain("no channel was enabled");
  expect(noMessagesWords([opened, told(), told("Mail"), opened])).toContain("The timeline says who was notified.");
});
