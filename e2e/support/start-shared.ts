import pg from "pg";
import type { TestProject } from "vitest/node";
import { runStart, type Sealwatch, startSealwatch } from "@/e2e/support/sealwatch";
import { startSmallInternet } from "@/e2e/support/small-internet";
import { STRIPE_SETTINGS, startStripe } from "@/e2e/support/stripe";
import { newId } from "@/lib/ids";

const HEALTHY = 1_000;

/**
 * Monitors of nobody that are up. Where a tenth of all goes down at once, notices are held back; and the suites, which share a server,
 * have many that are meant to be down.
 */
async function addHealthyMonitors(server: Sealwatch): Promise<void> {
  const client = new pg.Client({ connectionString: server.databases.app });
  await client.connect();
  await client.query(
    `WITH made AS (
       INSERT INTO organizations (id, name, slug, plan, audit_classes, created_at)
       VALUES ($1, 'Healthy', 'healthy', 'free', '{30}', now()) RETURNING id
     )
     INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, status, status_since, next_check_at, created_at, updated_at)
     SELECT made.id, gen_random_uuid(), n::text, 'tcp', '127.0.0.1:1', 'GET', '{}', '{}', false, 3600, 10, 1, 1, '{}', 'up', now(),
       now() + interval '1 year', now(), now() FROM made, generate_series(1, $2::integer) AS n`,
    [newId(), HEALTHY],
  );
  await client.end();
}

/** Runs once before the integration suites: the build, and the server they share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { code, stderr } = await runStart(["--build-only"], {});
  if (code !== 0) throw new Error(stderr);
  const stripe = await startStripe();
  const internet = await startSmallInternet();
  const server = await startSealwatch({
    ...internet.settings,
    ...STRIPE_SETTINGS,
    STRIPE_API_URL: stripe.url,
    // Requests without a key are limited by address: this lets every test have addresses of its own.
    TRUSTED_PROXIES: "127.0.0.1/32",
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
  });
  await addHealthyMonitors(server);
  project.provide("sealwatch", server.plain);
  return async () => {
    await server.destroy();
    stripe.close();
    internet.close();
  };
}
