import { expect, test } from "vitest";
import { DAYS, sealedDays } from "@/lib/audit-logs/seal/days";

const now = Date.parse("2026-11-23T10:00:00.000Z");
const checkpoint = (
  day: string,
  size: number,
  more: { epoch?: number; is_kept?: boolean; is_witnessed?: boolean; redacted_index?: number | null } = {},
) => ({
  ...{ epoch: 1, size, signed_at: new Date(`${day}T09:00:00.000Z`), is_kept: true, is_witnessed: false },
  redacted_index: null,
  ...more,
});
const shown = (...checkpoints: ReturnType<typeof checkpoint>[]) =>
  sealedDays(checkpoints, now)
    .filter(({ sealed }) => sealed > 0)
    .map(({ start, sealed, isPruned }) => [new Date(start).toISOString().slice(0, 10), sealed, isPruned]);

test("each day has the entries between its last checkpoint and the one before", () => {
  expect(
    shown(
      checkpoint("2026-11-23", 120),
      checkpoint("2026-11-21", 100),
      checkpoint("2026-10-01", 40, { is_kept: false }),
    ),
  ).toEqual([
    ["2026-10-01", 40, true],
    ["2026-11-21", 60, false],
    ["2026-11-23", 20, false],
  ]);
});

test("a checkpoint that was sent outside is not another day, even if its seals have expired already", () => {
  expect(shown(checkpoint("2026-11-22", 90), checkpoint("2026-11-22", 70, { is_kept: false }))).toEqual([
    ["2026-11-22", 90, false],
  ]);
});

test("an epoch begins at zero, and may begin on a day of the one before", () => {
  expect(shown(checkpoint("2026-11-22", 30, { epoch: 2 }), checkpoint("2026-11-22", 100))).toEqual([
    ["2026-11-22", 130, false],
  ]);
});

test("there are as many days as said, and the last is today; older checkpoints only count from where the first day begins", () => {
  const days = sealedDays([checkpoint("2026-08-26", 70), checkpoint("2026-08-25", 50)], now);
  expect([days.length, days[0]?.sealed, days.at(-1)?.start]).toEqual([DAYS, 20, Date.parse("2026-11-23T00:00:00Z")]);
});

test("a day is witnessed if one of its checkpoints is", () => {
  const [before, today] = sealedDays(
    [
      checkpoint("2026-11-23", 120),
      checkpoint("2026-11-23", 110, { is_witnessed: true }),
      checkpoint("2026-11-22", 100),
    ],
    now,
  ).slice(-2);
  expect([before?.isWitnessed, today?.isWitnessed]).toEqual([false, true]);
});

test("a day is redacted if a part of an entry sealed on it was", () => {
  const [first, second, third] = sealedDays(
    [
      checkpoint("2026-11-23", 120, { redacted_index: 99 }),
      checkpoint("2026-11-22", 100, { redacted_index: 99 }),
      checkpoint("2026-11-21", 90, { redacted_index: 7 }),
      checkpoint("2026-11-20", 5),
    ],
    now,
  ).slice(-3);
  expect([first?.isRedacted, second?.isRedacted, third?.isRedacted]).toEqual([true, true, false]);
});
