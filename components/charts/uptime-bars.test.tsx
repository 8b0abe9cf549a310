import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DaysTable, UptimeBars } from "@/components/charts/uptime-bars";
import { SealedDays } from "@/components/integrity/sealed-days";

const start = Date.parse("2026-11-20T00:00:00Z");

test("the bars of a monitor's own page have a table, those of a row only words", () => {
  const days = [{ start, checks: 10, failures: 1, maintenance: 0 }];
  expect(renderToStaticMarkup(<UptimeBars days={days} tall />)).toContain("Show as table");
  const row = renderToStaticMarkup(<UptimeBars days={days} />);
  expect(row).not.toContain("Show as table");
  expect(row).toContain("20 Nov 2026 (UTC): 1 failure in 10 checks");
});

test("the table has checks in maintenance only where they are counted", () => {
  const days = [{ start, checks: 10, failures: 1 }];
  expect(renderToStaticMarkup(<DaysTable days={days} />)).not.toContain("maintenance");
  const counted = renderToStaticMarkup(<DaysTable days={[{ start, checks: 10, failures: 1, maintenance: 7 }]} />);
  expect(counted).toContain("In maintenance");
  expect(counted).toContain(">7</td>");
});

test("the days of the sealed log have a table", () => {
  const days = [{ start, sealed: 1, isPruned: false, isWitnessed: true, isRedacted: true }];
  const markup = renderToStaticMarkup(<SealedDays days={days} holds={[]} />);
  expect(markup).toContain("Show as table");
  expect(markup).toContain("20 Nov 2026 (UTC): 1 entry sealed, witnessed, redacted");
});
