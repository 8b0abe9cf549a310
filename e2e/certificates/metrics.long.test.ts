import { expect, test } from "vitest";
import { open } from "@/e2e/audit/open";
import { webMemory } from "@/e2e/support/memory";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";

const ENDPOINTS = 200_000;
/** Series of reachable endpoints without a certificate: reachable, last check, open findings. */
const LINES_EACH = 3;
const MAX_GROWTH_MIB = 160;

test(`the metrics of ${ENDPOINTS} endpoints are streamed, and need no memory for all of them`, async () => {
  const server = await startSealwatch();
  try {
    const { id, readKey } = await newOrganization(server);
    await query(
      server,
      "app",
      `INSERT INTO certificate_endpoints (organization_id, id, host, port, reachability, served_chain, last_checked_at, next_check_at,
         created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'host-' || n || '.example.com', 443, 'reachable', '{}', now(), now() + interval '1 day', now(), now()
       FROM generate_series(1, $2::integer) AS n`,
      [id, ENDPOINTS],
    );
    const headers = { authorization: `Bearer ${readKey.secret}` };
    const scrape = () => open(server.url, "/analytics/metrics", headers);
    await (await scrape()).read();
    const idle = webMemory(server);
    const opened = await scrape();
    const PART = 5_000_000;
    let most = 0;
    let bytes = 0;
    for (let part = 1; !opened.ended(); part++) {
      bytes = (await opened.read(part * PART)).length;
      most = Math.max(most, webMemory(server));
      if (bytes < part * PART) break;
    }
    const text = (await opened.read()).toString();
    expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toHaveLength(
      LINES_EACH * ENDPOINTS,
    );
    expect(text.split("\n").filter((line) => line.startsWith("# TYPE"))).toHaveLength(8);
    console.log(`${Math.round(bytes / 2 ** 20)} MiB of metrics: web grew by ${Math.round(most - idle)} MiB`);
    expect(most - idle).toBeLessThan(MAX_GROWTH_MIB);
  } finally {
    await server.destroy();
  }
});
