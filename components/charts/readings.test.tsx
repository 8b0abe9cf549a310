import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Bars } from "@/components/charts/bars";
import { Lines } from "@/components/charts/lines";
import { Readout } from "@/components/charts/readout";
import { ReaderProvider } from "@/components/ui/reader";

/** Of a reader whose day begins five hours after the UTC day. */
function lines(by: "hour" | "day"): string {
  const points = [{ start: "2026-11-21T00:00:00.000Z", values: { p50: 12 } }];
  return renderToStaticMarkup(
    <ReaderProvider timeZone="America/New_York" now={0}>
      <Lines label="Response times" by={by} lines={[{ name: "p50", stroke: "", swatch: "" }]} points={points} />
    </ReaderProvider>,
  );
}

test("a point of a day names the UTC day, which began on the day before for the reader", () => {
  expect(lines("day")).toContain('aria-valuetext="21 Nov 2026 (UTC): p50 12 ms"');
  expect(lines("day")).toContain(">21 Nov<");
});

test("a point of an hour has the reader's time", () => {
  expect(lines("hour")).toContain('aria-valuetext="20 Nov 2026, 19:00: p50 12 ms"');
  expect(lines("hour")).toContain(">19:00<");
});

test.each([
  [1, "1 renewal"],
  [1200, "1,200 renewals"],
])("a bar of %i counts in the right number", (value, words) => {
  const bars = [{ name: "21 Nov 2026", value, more: "2 late" }];
  const markup = renderToStaticMarkup(<Bars label="Renewals by day" of="renewal" by="Day" bars={bars} />);
  expect(markup).toContain(`aria-valuetext="21 Nov 2026: ${words}, 2 late"`);
});

test.each([
  ["to the right of a place on the left", 0.25, 0.5, "left:calc(50% + 8px);max-width:calc(50% - 8px)"],
  ["to the left of a place on the right", 0.75, 0.125, "right:calc(25% + 8px);max-width:calc(75% - 8px)"],
  ["over a single bar", 0, 0, "right:calc(0% + 8px);max-width:calc(100% - 8px)"],
])("a reading stays within the chart: %s", (_, left, right, style) => {
  const markup = renderToStaticMarkup(<Readout reading={{ title: "21 Nov 2026" }} left={left} right={right} />);
  expect(markup).toContain(`style="${style}"`);
});
