import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newToken } from "@/lib/tokens";
import { refusalOf } from "@/lib/uptime/heartbeats/answer-caller";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.UTC(2026, 10, 21, 12) });
});
afterEach(() => {
  vi.useRealTimers();
});

test("calls of an address beyond its limit do not count against the URLs that it calls", async () => {
  for (let calls = 0; calls < 300; calls++) expect(await refusalOf(newToken(), "192.0.2.1")).toBeUndefined();
  const token = newToken();
  for (let calls = 0; calls < 20; calls++) expect(await refusalOf(token, "192.0.2.1")).toMatchObject({ limit: 300 });
  for (let calls = 0; calls < 10; calls++) expect(await refusalOf(token, "192.0.2.2")).toBeUndefined();
  expect(await refusalOf(token, "192.0.2.2")).toMatchObject({ admitted: false, limit: 10 });
});
