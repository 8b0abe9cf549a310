import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRsyslog, type Rsyslog, startRsyslog } from "@/e2e/support/servers/rsyslog";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { batchOf, failureOf, sendBatch } from "@/server/testing/send-batch";

describe.skipIf(!hasRsyslog)("rsyslog as documented", () => {
  let rsyslog: Rsyslog;
  let port = 0;
  beforeAll(async () => {
    port = await closedPort();
    rsyslog = await startRsyslog(port);
  });
  afterAll(() => rsyslog.stop());

  const send = (count: number, format: "sealwatch" | "cef", ca: string | null = rsyslog.authority.pem, details = {}) =>
    sendBatch(batchOf(count, { details }), {
      type: "syslog",
      settings: { host: "127.0.0.1", port, ca_certificate: ca },
      format,
    });

  test("takes every event of a batch once, whole and in order", async () => {
    const details = { resource_name: `${"é".repeat(5_000)}"]` };
    await send(1_000, "sealwatch", undefined, details);
    await until("all lines are written", () => rsyslog.lines().length >= 1_000);
    const events = rsyslog.lines().map((line) => JSON.parse(line) as unknown);
    expect(events).toEqual(batchOf(1_000, { details }).events);
  });

  test("takes lines of CEF", async () => {
    const before = rsyslog.lines().length;
    await send(2, "cef");
    await until("the lines are written", () => rsyslog.lines().length >= before + 2);
    for (const line of rsyslog.lines().slice(before))
      expect(line).toMatch(/^CEF:0\|Sealwatch\|Sealwatch\|1\|api_key\.create\|/);
  });

  test("gets nothing if its certificate is not trusted", async () => {
    const before = rsyslog.lines().length;
    expect((await failureOf(send(1, "cef", null))).message).toMatch(/^its certificate was rejected/);
    await send(1, "cef");
    await until("the next line is written", () => rsyslog.lines().length > before);
    expect(rsyslog.lines()).toHaveLength(before + 1);
  });
});
