import { expect, test } from "vitest";
import type { OmittedRange } from "@/lib/destinations/batches/batch";
import { formats } from "@/lib/destinations/formats";
import { ndjsonOf } from "@/lib/destinations/kinds/ndjson";
import { batchOf, expired, NOW } from "@/server/testing/send-batch";

const filtered: OmittedRange = { first: 9, end: 11, reason: "filter", hashes: ["AAAA"] };
const omitted = [expired, filtered];
/** Two events with the indexes 7 and 8, what expired in front of them, and what the filters leave out behind them. */
const linesIn = (format: keyof typeof formats) =>
  ndjsonOf(batchOf(2, {}, omitted), { format: formats[format], now: NOW })
    .split("\n")
    .map((line) => (line === "" ? null : JSON.parse(line)));

test("lines of our own format are events and ranges, in the order of the log", () => {
  const seal = (index: number) => ({ seal: { index } });
  expect(linesIn("sealwatch")).toMatchObject([
    { omitted: { epoch: 1, ...expired } },
    ...[seal(7), seal(8)],
    { omitted: { epoch: 1, ...filtered } },
    null,
  ]);
});

test("lines of OCSF are documents of its schema, also for entries that are not sent", () => {
  const said = ({ first, end, reason }: OmittedRange) => ({
    ...{ class_uid: 0, metadata: { version: "1.4.0" } },
    unmapped: { omitted: { epoch: 1, first, end, reason } },
  });
  const lines = linesIn("ocsf");
  expect(lines).toMatchObject([said(expired), { class_uid: 3001 }, { class_uid: 3001 }, said(filtered), null]);
  expect(lines.filter((line) => line !== null && "omitted" in line)).toEqual([]);
});

test("lines of ECS are documents of ECS, also for entries that are not sent", () => {
  const said = ({ first, end, reason }: OmittedRange) => ({
    ...{ ecs: { version: "8.11.0" }, event: { action: "omitted" } },
    sealwatch: { omitted: { first, end, reason } },
  });
  const created = { event: { action: "api_key.create" } };
  const lines = linesIn("ecs");
  expect(lines).toMatchObject([said(expired), created, created, said(filtered), null]);
  expect(lines.filter((line) => line !== null && "omitted" in line)).toEqual([]);
});
