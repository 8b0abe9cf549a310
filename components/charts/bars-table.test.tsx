import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { BarsTable } from "@/components/charts/bars-table";

test("the columns add up to the entries", () => {
  const bar = { from: 0, requests: 15, status_2xx: 1, status_3xx: 2, status_4xx: 3, status_5xx: 4, security_events: 9 };
  const more = [{ name: "security", count: () => bar.security_events }];
  const markup = renderToStaticMarkup(<BarsTable bars={[bar]} hrefOf={() => "/"} more={more} />);
  const cells = (element: string) =>
    [...markup.matchAll(new RegExp(`<${element}[^>]*>([^<]+)<`, "g"))].map(([, text]) => text);
  expect(cells("th")).toEqual(["From", "Entries", "2xx", "3xx", "4xx", "5xx", "No status", "Security"]);
  expect(cells("td")).toEqual(["15", "1", "2", "3", "4", "5", "9"]);
});
