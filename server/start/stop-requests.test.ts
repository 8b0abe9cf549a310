import { afterEach, expect, test, vi } from "vitest";
import { onStopRequest } from "@/server/start/stop-requests";

afterEach(() => {
  vi.useRealTimers();
});

test("the signal that npm forwards is the request of the terminal, and a later one insists", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const [stop, insist] = [vi.fn(), vi.fn()];
  const requests = onStopRequest(stop, insist);
  process.emit("SIGINT", "SIGINT");
  process.emit("SIGINT", "SIGINT");
  vi.advanceTimersByTime(1_000);
  process.emit("SIGHUP", "SIGHUP");
  requests.request();
  expect([stop.mock.calls.length, insist.mock.calls.length]).toEqual([1, 0]);
  vi.advanceTimersByTime(1);
  requests.request();
  expect(insist).not.toHaveBeenCalled();
  process.emit("SIGTERM", "SIGTERM");
  expect([stop.mock.calls.length, insist.mock.calls.length]).toEqual([1, 1]);
  requests.off();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) expect(process.listenerCount(signal)).toBe(0);
});
