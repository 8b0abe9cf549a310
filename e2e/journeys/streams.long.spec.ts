import { expect, type Page } from "playwright/test";
import { rangesIn, verifyBucket } from "@/e2e/audit/destinations/bucket";
import { eventsIn, linesOf, sentUpTo } from "@/e2e/audit/destinations/streaming";
import { alive, open, signInWithKey } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { query } from "@/e2e/support/servers/databases";
import { liftedLimits } from "@/e2e/support/servers/lifted-limits";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { hasSwift, S3_KEY, startSwiftS3 } from "@/e2e/support/servers/swift/swift-s3";
import { newSink } from "@/e2e/support/stand-ins/sink";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";

/** Of several batches. */
const REQUESTS = 3_000;
const CONNECTIONS = 16;
const PREFIX = "audit/walk";

/** Fills in the form of a kind, tests it and adds it. */
async function add(page: Page, kind: string, fields: Record<string, string>, choices: Record<string, string> = {}) {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await open(page, "/destinations/new");
  await page.getByRole("link", { name: kind }).click();
  await expect(page.getByRole("heading", { level: 1, name: kind })).toBeVisible();
  await alive(button("Send test"));
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
  const all = { ...choices, Start: "With the oldest entry that is kept" };
  for (const [label, choice] of Object.entries(all)) await page.getByLabel(label).selectOption(choice);
  await button("Send test").click();
  await expect(page.getByText(/^The receiver accepted the newest event/)).toBeVisible();
  await button("Add destination").click();
}

test("two destinations have every entry after the receiver was unavailable and the worker was killed", async ({
  browser,
}) => {
  test.skip(!hasSwift, "needs OpenStack Swift");
  const server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8", ...liftedLimits });
  const [swift, first] = [await startSwiftS3(await closedPort()), await newSink()];
  const sinks = [first];
  const context = await browser.newContext({ baseURL: server.url });
  try {
    const page = await context.newPage();
    const { api } = await signInWithKey(page, server);
    const seal = async () => (await api.get<{ vkey: string; size: number }>("/audit-logs/seal")).data;
    await until("an event is sealed", async () => ((await seal())?.size ?? 0) > 0);

    await add(page, "HTTPS", { Name: "Collector", URL: `${first.url}/audit` });
    await page.getByRole("button", { name: "I have stored the secret" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Collector" })).toBeVisible();
    const { secret_access_key, access_key_id, region } = S3_KEY;
    const settings = { Endpoint: swift.url, Region: region, Bucket: swift.bucket, Prefix: PREFIX };
    const key = { "Access key id": access_key_id, "Secret access key": secret_access_key, "Seconds per object": "10" };
    await add(
      page,
      "S3-compatible object storage",
      { Name: "Bucket", ...settings, ...key },
      { Addressing: "In the path" },
    );
    await expect(page.getByRole("heading", { level: 1, name: "Bucket" })).toBeVisible();

    let last = "";
    const request = async (count: number) => {
      let left = count;
      const work = async () => {
        while (left-- > 0) last = (await api.get("/certificates?limit=1")).requestId ?? last;
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, work));
    };
    await request(REQUESTS / 4);
    first.close();
    await request(REQUESTS / 4);
    await open(page, "/destinations");
    server.kill("worker");
    await request(REQUESTS / 4);
    sinks.push(await newSink(200, Number(new URL(first.url).port)));
    await request(REQUESTS / 4);
    const entry = await until("the last event is sealed", async () => {
      const { data } = await api.get<{ seal: { index: number } | null }>(`/audit-logs/${last}`);
      return data?.seal ?? false;
    });

    // A killed worker's leases would last two minutes.
    await query(server, "app", "UPDATE destinations SET leased_until = NULL, next_at = now()");
    const reached = (ends: number[]) => ends.some((end) => end > entry.index);
    await until("the collector has all", () => reached(sinks.map((sink) => sentUpTo(sink) + 1)), 400_000);
    const ranges = await until(
      "the bucket has all",
      async () => {
        const found = await rangesIn(swift, PREFIX);
        return reached(found.map(({ end }) => end)) && found;
      },
      400_000,
    );
    const events = sinks.flatMap(({ taken }) => taken.flatMap(({ body }) => eventsIn(linesOf(body))));
    const indexes = new Set(events.map(({ seal }) => seal.index));
    expect(Array.from({ length: entry.index + 1 }, (_, index) => index).filter((index) => !indexes.has(index))).toEqual(
      [],
    );
    expect(entry.index).toBeGreaterThanOrEqual(REQUESTS);
    expect(ranges.map((range) => range.first)).toEqual([0, ...ranges.slice(0, -1).map(({ end }) => end)]);
    const verified = await verifyBucket(swift, PREFIX, { vkey: (await seal()).vkey, from: 0 });
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("Proved:")]);
    await open(page, "/destinations");
    await expect(page.getByRole("table", { name: "Destinations" }).getByText("Working")).toHaveCount(2);
  } finally {
    await context.close();
    for (const sink of sinks) sink.close();
    await swift.stop();
    await server.destroy();
  }
});
