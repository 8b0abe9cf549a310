import { describe, expect, test } from "vitest";
import { Recording } from "@/lib/audit-logs/recording";
import { Allowance, boundStranger, LARGEST_KEPT, MOST_AN_HOUR } from "@/lib/audit-logs/strangers";
import { newId } from "@/lib/ids";

const HOUR_MS = 3_600_000;

function withBody(bytes: number, known: ConstructorParameters<typeof Recording>[0] = {}): Recording {
  const event = new Recording({ body_size: bytes, ...known });
  event.body = Buffer.alloc(bytes, "x");
  boundStranger(event);
  return event;
}

describe("of a request that belongs to nobody", () => {
  test("a body is kept whole, up to a size", () => {
    expect(withBody(LARGEST_KEPT).body).toHaveLength(LARGEST_KEPT);
    expect(withBody(LARGEST_KEPT + 1)).toMatchObject({ body: null, row: { body_size: LARGEST_KEPT + 1 } });
  });

  test("nothing is kept past the limit", () => {
    expect(withBody(1, { flags: ["rate_limited"] }).body).toBeNull();
  });

  test("no more is kept in an hour than the allowance, and the next hour has its own", () => {
    const allowance = new Allowance();
    const times = MOST_AN_HOUR / LARGEST_KEPT;
    for (let n = 0; n < times; n++) expect(allowance.take(LARGEST_KEPT, HOUR_MS + n)).toBe(true);
    expect(allowance.take(1, 2 * HOUR_MS - 1)).toBe(false);
    expect(allowance.take(0, 2 * HOUR_MS - 1)).toBe(true);
    expect(allowance.take(LARGEST_KEPT, 2 * HOUR_MS)).toBe(true);
  });
});

test("an organization's bodies are kept as they were sent, also past the limit", () => {
  const known = { organization_id: newId(), flags: ["rate_limited" as const] };
  expect(withBody(LARGEST_KEPT + 1, known).body).toHaveLength(LARGEST_KEPT + 1);
});
