import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StatusFigures } from "@/components/layout/status-figures";
import { RangeLinks } from "@/components/statistics/range-links";

/** The URLs of the links, in order. */
function hrefsIn(markup: string): string[] {
  return [...markup.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
}

test("a figure opens exactly what it counts, in the order of the list", () => {
  const figures = (params: Record<string, string>) => (
    <StatusFigures
      path="/uptime"
      noun="monitor"
      byStatus={
        new Map([
          ["up", 2],
          ["down", 1],
        ])
      }
      order={["down", "up"]}
      labels={{ up: "Up", down: "Down" }}
      tones={{ up: undefined, down: "bad" }}
      params={params}
    />
  );
  expect(hrefsIn(renderToStaticMarkup(figures({ q: "www", sort: "name", order: "desc", status: "down" })))).toEqual([
    "/uptime?sort=name&order=desc",
    "/uptime?sort=name&order=desc",
    "/uptime?sort=name&order=desc&status=up",
  ]);
});

test("a range keeps the filters of its page", () => {
  const params = { flag: "rate_limited", since: "2026-11-20T00:00:00Z", cursor: "x" };
  const links = <RangeLinks path="/security-events" params={params} chosen={null} />;
  expect(hrefsIn(renderToStaticMarkup(links))).toContain("/security-events?flag=rate_limited&range=7d");
});
