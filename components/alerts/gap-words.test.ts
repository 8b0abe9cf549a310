import { expect, test } from "vitest";
import { gapWarnings } from "@/components/alerts/gap-words";

const none = { channels: "enabled", openAlerts: 0, endpoints: 0, monitors: 0, apiKeys: 0, domains: 0 } as const;
const words = (gaps: Parameters<typeof gapWarnings>[0]) => gapWarnings(gaps).map((each) => each.words);

test("without an enabled channel, nobody is notified of anything", () => {
  expect(words({ ...none, channels: "none", openAlerts: 8 })).toEqual([
    "8 open alerts: no channel is set up, nobody is notified.",
  ]);
  expect(words({ ...none, channels: "disabled" })).toEqual(["No channel is enabled: nobody will be notified."]);
});

test("with a channel, only what no rule covers is named", () => {
  expect(words(none)).toEqual([]);
  expect(words({ ...none, endpoints: 3, monitors: 1, apiKeys: 2, domains: 1 })).toEqual([
    "3 endpoints are covered by no alert rule.",
    "1 monitor is covered by no alert rule.",
    "2 API keys are covered by no alert rule.",
    "1 domain is covered by no alert rule.",
  ]);
});
