import { expect, test } from "vitest";
import { pageState, type SiteState, siteState, stateSentence } from "@/lib/status-pages/public/site-state";

const monitor = (status: "up" | "down" | "paused" | "pending", inMaintenance = false) => ({ status, inMaintenance });

test("a monitor decides whether a site is reachable, its endpoint whether the certificate is valid", () => {
  expect(siteState(monitor("up"), null)).toBe("up");
  expect(siteState(monitor("down"), "ok")).toBe("down");
  expect(siteState(monitor("up"), "critical")).toBe("problem");
  expect(siteState(monitor("up"), "unreachable")).toBe("up");
  expect(siteState(monitor("down", true), "critical")).toBe("maintenance");
  expect(siteState(monitor("pending", true), "unreachable")).toBe("maintenance");
  expect(siteState(monitor("pending"), null)).toBe("unknown");
  expect(siteState(monitor("paused"), null)).toBe("unknown");
  expect(siteState(monitor("paused", true), "warning")).toBe("up");
  expect(siteState(null, "unreachable")).toBe("down");
  expect(siteState(null, "pending")).toBe("unknown");
  expect(siteState(null, null)).toBe("unknown");
});

test.each<[SiteState[], SiteState, string]>([
  [[], "unknown", "No sites are shown here yet."],
  [["up"], "up", "The site is operational."],
  [["up", "up"], "up", "All 2 sites are operational."],
  [["up", "unknown", "up"], "up", "2 of 3 sites are operational; the state of the others is not known."],
  [["unknown"], "unknown", "The state of these sites is currently unknown."],
  [["down", "up", "problem"], "down", "1 of 3 sites is down."],
  [["problem", "problem", "maintenance"], "problem", "2 of 3 sites have a problem with the certificate."],
  [["maintenance", "up"], "maintenance", "1 of 2 sites is in planned maintenance."],
])("%j is %s: %s", (states, state, sentence) => {
  expect(pageState(states)).toBe(state);
  expect(stateSentence(states)).toBe(sentence);
});
