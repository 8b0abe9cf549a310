import { expect, test } from "vitest";
import type { OmittedRange } from "@/lib/destinations/batches/batch";
import { formatNames } from "@/lib/destinations/formats/names";
import { encodeOmission, omittedIn } from "@/lib/destinations/formats/omission";
import { SENT_ORIGIN } from "@/server/testing/sent-events";

const context = { origin: SENT_ORIGIN, epoch: 2, now: 5 };
/** What the filters leave out in front of, between and behind events, and what is lost in between. */
const ranges: OmittedRange[] = [
  { first: 3, end: 9, reason: "filter", hashes: ["AAAA"] },
  { first: 10, end: 12, reason: "expired", hashes: null },
  { first: 12, end: 13, reason: "filter", hashes: ["BBBB"] },
  { first: 20, end: 23, reason: "filter", hashes: ["CCCC"] },
];

test("our own format says each range with its hashes", () => {
  const said = omittedIn("sealwatch", ranges).map((range) => encodeOmission("sealwatch", range, context));
  expect(said).toEqual(ranges.map((range) => ({ omitted: { epoch: 2, ...range } })));
});

test.each(formatNames.filter((name) => name !== "sealwatch"))("%s says once what the filters leave out", (format) => {
  const said = omittedIn(format, ranges);
  expect(said).toMatchObject([
    { first: 3, end: 23, reason: "filter", entries: 10 },
    { first: 10, end: 12, reason: "expired", entries: 2 },
  ]);
  const [filtered, expired] = said.map((range) => JSON.stringify(encodeOmission(format, range, context)));
  expect(filtered).toContain("10 of the entries 3 to 22 of the log are not sent: the filters leave them out.");
  expect(expired).toContain("Entries 10 to 11 of the log are not sent: retention deleted them before they were sent.");
  const lost = ranges.filter(({ reason }) => reason === "expired");
  expect(omittedIn(format, lost)).toMatchObject(lost);
});

test("what the filters leave out is less severe than what is lost", () => {
  const severities = (format: "ocsf" | "cef") =>
    omittedIn(format, ranges).map((range) => encodeOmission(format, range, context));
  expect(severities("ocsf")).toMatchObject([{ severity_id: 1 }, { severity_id: 3 }]);
  expect(severities("cef")).toEqual([expect.stringContaining("|1|rt="), expect.stringContaining("|6|rt=")]);
});
