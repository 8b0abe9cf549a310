import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Group, groupLimits } from "@/lib/http/groups";
import { checkRateLimit, fullLimit, limitedAddress, rateLimited, unknownLimit } from "@/lib/rate-limits/limit";

const START = Date.UTC(2026, 10, 21, 12, 0, 0, 400);

/** The limiter is a process singleton, so every test uses its own identity. */
let asked = 0;
const somebody = () => `somebody-${asked++}`;

async function ask(group: Group, who: string, times: number) {
  let last = await checkRateLimit(group, who, true);
  for (let count = 1; count < times; count++) last = await checkRateLimit(group, who, true);
  return last;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a limit", () => {
  test.each(Object.entries(groupLimits) as [Group, number][])(
    "for %s admits %i requests and no more",
    async (group, limit) => {
      const who = somebody();
      expect(await ask(group, who, limit)).toMatchObject({ admitted: true, limit, remaining: 0 });
      expect(await checkRateLimit(group, who, true)).toMatchObject({
        admitted: false,
        limit,
        remaining: 0,
        retryAfter: 60,
        resetAfter: 60,
      });
    },
  );

  test("counts each group and each caller separately", async () => {
    const [one, other] = [somebody(), somebody()];
    await ask("billing", one, 30);
    expect(await checkRateLimit("billing", other, true)).toMatchObject({ admitted: true, remaining: 29 });
    expect(await checkRateLimit("alert_rules", one, true)).toMatchObject({ admitted: true, remaining: 29 });
  });

  test("is not reduced by reading it", async () => {
    const who = somebody();
    await ask("billing", who, 7);
    for (let look = 0; look < 5; look++) {
      expect(await checkRateLimit("billing", who, false)).toMatchObject({ admitted: true, limit: 30, remaining: 23 });
    }
  });

  test("reports the smallest number of whole seconds to wait", async () => {
    const who = somebody();
    await checkRateLimit("billing", who, true);
    vi.advanceTimersByTime(1_234);
    await ask("billing", who, 29);
    vi.advanceTimersByTime(10);
    const refused = await checkRateLimit("billing", who, true);
    expect(refused).toMatchObject({ admitted: false, retryAfter: 59 });
    vi.advanceTimersByTime(58_000);
    expect(await checkRateLimit("billing", who, true)).toMatchObject({ admitted: false, retryAfter: 1 });
    vi.advanceTimersByTime(1_000);
    expect(await checkRateLimit("billing", who, true)).toMatchObject({ admitted: true, remaining: 0 });
  });

  test("reports in whole Unix seconds when the full limit is available again", async () => {
    const who = somebody();
    const { reset } = await checkRateLimit("billing", who, true);
    expect(reset).toBe(Math.ceil((START + 60_000) / 1000));
    vi.advanceTimersByTime(reset * 1000 - START);
    expect(await checkRateLimit("billing", who, false)).toMatchObject({ remaining: 30, reset: Date.now() / 1000 });
  });

  test("never has a negative remainder", async () => {
    const who = somebody();
    await ask("billing", who, 40);
    expect((await checkRateLimit("billing", who, false)).remaining).toBe(0);
  });

  test("that is exceeded has the same seconds everywhere", async () => {
    const who = somebody();
    const standing = await ask("billing", who, 31);
    const error = rateLimited(standing);
    expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429, details: { retry_after: 60 } });
    expect(error.message).toBe("The rate limit of 30 requests per minute is exceeded. Retry in 60 s.");
  });

  test("is shown in full for exempt requests", () => {
    expect(fullLimit("certificates")).toEqual({
      admitted: true,
      limit: 100,
      remaining: 100,
      reset: Math.ceil(START / 1000),
      resetAfter: 0,
      retryAfter: 0,
    });
  });

  test("is shown as used up to a caller that could not be counted", () => {
    expect(unknownLimit("certificates")).toEqual({
      ...{ admitted: false, limit: 100, remaining: 0 },
      ...{ reset: Math.ceil(START / 1000) + 5, resetAfter: 5, retryAfter: 5 },
    });
  });

  test("has the documented numbers", () => {
    expect(groupLimits).toEqual({
      certificates: 100,
      uptime: 100,
      analytics: 50,
      alerts: 50,
      subdomains: 50,
      api_keys: 60,
      audit_logs: 30,
      organizations: 30,
      alert_rules: 30,
      billing: 30,
      notification_channels: 30,
      other: 30,
    });
  });
});

test.each([
  [null, "unknown"],
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::ffff", "2001:db8:1:2::/64"],
])("%s without a key is counted as %s", (address, counted) => {
  expect(limitedAddress(address)).toBe(counted);
});
