import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSecureContext } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillWithMonitors } from "@/e2e/support/large-organization";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import {
  type Authority,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTls } from "@/e2e/support/stand-ins/test-servers";
import type {
  AnalyticsExpiry,
  AnalyticsIssuers,
  AnalyticsKeys,
  AnalyticsLifetimes,
  AnalyticsOverview,
  AnalyticsRenewals,
  AnalyticsResponseTimes,
  AnalyticsUptime,
} from "@/lib/analytics/contract";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";
import { latencyOf } from "@/lib/histogram";
import { DAY_MS } from "@/lib/time/units";
import type { MonitorWithUrl } from "@/lib/uptime/contract";

const server = sharedServer();
let organization: Organization;
let authority: Authority;
/** The previous certificate of the first endpoint, the one that the first and second serve now, and that of the third. */
let old: TestCertificate;
let shared: TestCertificate;
let expired: TestCertificate;
let watched: CertificateEndpointDetail;
const closers: (() => unknown)[] = [];

const get = async <T>(path: string) => {
  const answer = await organization.read.get<T>(`/analytics/${path}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
};

beforeAll(async () => {
  [organization, authority] = await Promise.all([newOrganization(server), makeAuthority("Analytics")]);
  [old, shared, expired] = await Promise.all([
    authority.leaf({ name: "a.test", sans: ["localhost"], fromDays: -80, untilDays: 10 }),
    authority.leaf({ name: "b.test", sans: ["localhost"], fromDays: -1, untilDays: 150 }),
    authority.leaf({ name: "c.test", sans: ["localhost"], fromDays: -90, untilDays: -1 }),
  ]);
  const serve = async (first: TestCertificate) => {
    const site = { made: first, port: 0 };
    const context = () =>
      createSecureContext({ key: site.made.keyPem, cert: site.made.pem + authority.intermediate.pem });
    const testServer = await serveTls([first, authority.intermediate], {
      SNICallback: (_name, done) => done(null, context()),
    });
    closers.push(() => testServer.close());
    site.port = testServer.port;
    return site;
  };
  const [first, second, third] = await Promise.all([serve(old), serve(shared), serve(expired)]);
  const watch = async (port: number) => {
    const answer = await organization.admin.post<CertificateEndpointDetail>("/certificates/endpoints", {
      host: "localhost",
      port,
    });
    expect(answer.status, answer.text).toBe(201);
    return answer.data;
  };
  watched = await watch(first.port);
  await watch(second.port);
  await watch(third.port);
  await watch(await closedPort());
  first.made = shared;
  await organization.admin.post(`/certificates/endpoints/${watched.id}/check`);

  const site = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  closers.push(() => site.close().closeAllConnections());
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  // The worker adds no check meanwhile.
  const seldom = { interval_seconds: 3600 };
  await organization.admin.post("/uptime", { name: "up", type: "http", target: url, ...seldom });
  const closed = { type: "tcp", target: `127.0.0.1:${await closedPort()}`, failure_threshold: 1 };
  const down = { name: 'down "quoted"', ...closed, ...seldom };
  await organization.admin.post("/uptime", down);
});

afterAll(() => Promise.all(closers.map((close) => close())));

describe("analytics", () => {
  test("the overview counts certificates that are served now, not earlier ones", async () => {
    const overview = await get<AnalyticsOverview>("overview");
    expect(overview.certificates).toEqual({
      in_use: 2,
      expired: 1,
      expiring_7d: 0,
      expiring_30d: 0,
      expiring_90d: 0,
    });
    expect(overview.endpoints).toMatchObject({ total: 4, unreachable: 1 });
    expect(overview.findings).toContainEqual({ code: "expired", severity: "critical", endpoints: 1 });
    expect(overview.monitors).toEqual({ total: 2, pending: 0, up: 1, down: 1, paused: 0 });
    expect(overview.incidents).toEqual({ open: 1, last_30d: 1 });
    expect(overview.uptime_percent_30d).toBe(50);
  });

  test("the expiry calendar has each certificate once, on its day", async () => {
    const calendar = await get<AnalyticsExpiry>("expiry?interval=day&days=200");
    const filled = calendar.series.filter(({ certificates }) => certificates > 0);
    const day = `${shared.certificate.notAfter.toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect(filled).toEqual([{ start: day, certificates: 1, endpoints: 2 }]);
    expect(calendar.expired).toEqual({ certificates: 1, endpoints: 1 });
    expect(calendar.later).toEqual({ certificates: 0, endpoints: 0 });
    expect(calendar.next).toMatchObject([{ common_name: "b.test", endpoints: 2 }]);
    const months = await get<AnalyticsExpiry>("expiry?interval=month&days=60");
    expect(months.later).toEqual({ certificates: 1, endpoints: 2 });
  });

  test("issuers, keys and signatures", async () => {
    const { issuers } = await get<AnalyticsIssuers>("issuers");
    expect(issuers).toEqual([
      {
        issuer: "CN=Analytics Intermediate",
        certificates: 2,
        endpoints: 3,
        soonest_not_after: expired.certificate.notAfter.toISOString(),
      },
    ]);
    expect(await get<AnalyticsKeys>("keys")).toEqual({
      keys: [{ key_type: "ec", key_bits: 256, certificates: 2, endpoints: 3 }],
      signatures: [{ signature_algorithm: "ecdsa-with-SHA256", certificates: 2, endpoints: 3 }],
    });
  });

  test("certificates that would violate the rule of 2027-03-15", async () => {
    const { lifetimes, rules } = await get<AnalyticsLifetimes>("lifetimes");
    expect(rules.map(({ effective_from, certificates }) => [effective_from, certificates])).toEqual([
      ["2026-03-15", 0],
      ["2027-03-15", 1],
      ["2029-03-15", 2],
    ]);
    expect(rules[1]?.longest).toMatchObject([{ common_name: "b.test", endpoints: 2 }]);
    expect(lifetimes.filter(({ certificates }) => certificates > 0)).toEqual([
      { days: 100, certificates: 1, endpoints: 1 },
      { days: 200, certificates: 1, endpoints: 2 },
    ]);
  });

  test("a renewal has the share of lifetime that the old certificate had left", async () => {
    const renewals = await get<AnalyticsRenewals>("renewals");
    expect(renewals).toMatchObject({ renewals: 1, after_expiry: 0, latest: [{ endpoint: { id: watched.id } }] });
    expect(renewals.share_left.p50).toBeCloseTo(10 / 90, 2);
    expect(renewals.latest[0]?.days_left).toBeCloseTo(10, 1);
    expect(renewals.series.reduce((sum, point) => sum + point.renewals, 0)).toBe(1);
  });

  test("a renewal replaces the certificate of the same address, or at a new address the latest one", async () => {
    const own = await newOrganization(server);
    const made = await own.admin.post<{ id: string }>("/certificates/endpoints", {
      host: "servers.test",
      reported: true,
    });
    const { id } = made.data;
    const ids: Record<string, string> = {};
    const serve = async (name: string, untilDays: number) => {
      const { pem } = await makeCertificate({ name, sans: ["servers.test"], fromDays: -50, untilDays });
      const answer = await own.admin.post<CertificateEndpointDetail>(`/certificates/endpoints/${id}/report`, { pem });
      ids[name] = answer.data.certificate?.id ?? "";
      return pem;
    };
    await serve("a1", 50);
    await serve("b1", 60);
    await serve("a2", 70);
    await serve("b2", 80);
    const last = await serve("c1", 90);
    const sightings = [
      ["192.0.2.1", "a1", 40],
      ["192.0.2.2", "b1", 40],
      ["192.0.2.1", "a2", 20],
      ["192.0.2.2", "b2", 10],
      ["192.0.2.3", "c1", 5],
    ].map(([address, name, days]) => ({ address, certificate: ids[name ?? ""], days }));
    await query(server, "app", "DELETE FROM certificate_sightings WHERE organization_id = $1", [own.id]);
    await query(
      server,
      "app",
      `INSERT INTO certificate_sightings SELECT $1, $2, address, certificate, at, at
       FROM jsonb_to_recordset($3) AS s (address text, certificate uuid, days integer), LATERAL (
         SELECT now() - make_interval(days => days) AS at
       ) AS times`,
      [own.id, id, JSON.stringify(sightings)],
    );
    const since = new Date(Date.now() - 60 * DAY_MS).toISOString();
    const { data } = await own.read.get<AnalyticsRenewals>(`/analytics/renewals?since=${since}`);
    expect(data).toMatchObject({ renewals: 3, after_expiry: 0 });
    const steps = data.latest.map(({ old_certificate_id, new_certificate_id }) => [
      old_certificate_id,
      new_certificate_id,
    ]);
    expect(steps).toEqual([
      [ids.b2, ids.c1],
      [ids.b1, ids.b2],
      [ids.a1, ids.a2],
    ]);
    const shares = [70 / 100, 70 / 110, 85 / 130].map((share) => expect.closeTo(share, 2));
    expect([data.share_left.p10, data.share_left.p50, data.share_left.p90]).toEqual([shares[1], shares[2], shares[0]]);
    expect(data.series.filter(({ renewals }) => renewals > 0).map((day) => day.median_share_left)).toEqual(shares);

    // What checks compare with is read from the same sightings.
    await query(server, "app", "UPDATE certificate_endpoints SET renewal_leads = NULL WHERE id = $1", [id]);
    await own.admin.post(`/certificates/endpoints/${id}/report`, { pem: last });
    const leads = "SELECT renewal_leads AS leads FROM certificate_endpoints WHERE id = $1";
    expect(await query(server, "app", leads, [id])).toEqual([{ leads: shares }]);
  });

  test("uptime and response times of all monitors, the worst first", async () => {
    const uptime = await get<AnalyticsUptime>("uptime");
    expect(uptime).toMatchObject({ checks: 2, failures: 1, uptime_percent: 50, incidents: 1 });
    expect(uptime.worst.map(({ monitor, uptime_percent }) => [monitor.name, uptime_percent])).toEqual([
      ['down "quoted"', 0],
      ["up", 100],
    ]);
    const times = await get<AnalyticsResponseTimes>("response-times");
    expect(times.slowest).toMatchObject([{ monitor: { name: "up" }, checks: 1 }]);
    expect(times.p50).toBeGreaterThan(0);
    expect(times.series.filter(({ p50 }) => p50 !== null)).toMatchObject([{ p50: times.p50 }]);
  });

  test("the 20 slowest monitors are those with the highest p95, whatever their slowest checks", async () => {
    const own = await newOrganization(server);
    await fillWithMonitors(server, own.id, 25);
    // The 19th of 20 times is in a higher bucket with every monitor, and the last one in a lower one. Hourly rows do not count.
    await query(
      server,
      "app",
      `INSERT INTO uptime_latencies SELECT organization_id, id, grain, date_trunc('day', now(), 'UTC'), bucket, checks
       FROM (SELECT *, right(name, -8)::integer AS n FROM uptime_monitors WHERE organization_id = $1) AS m,
         LATERAL (VALUES ('day', 400 + n, 19), ('day', 900 - n, 1), ('hour', 950, 1000)) AS l (grain, bucket, checks)`,
      [own.id],
    );
    const { data } = await own.read.get<AnalyticsResponseTimes>("/analytics/response-times");
    const expected = Array.from({ length: 20 }, (_, at) => 25 - at).map((n) => ({
      monitor: { id: expect.any(String), name: `monitor ${n}` },
      checks: 20,
      p50: expect.closeTo(latencyOf(400 + n) / 1000, 2),
      p95: expect.closeTo(latencyOf(400 + n) / 1000, 2),
      p99: expect.closeTo(latencyOf(900 - n) / 1000, 2),
    }));
    expect(data.slowest).toEqual(expected);
    expect(data.p50).toBeCloseTo(latencyOf(414) / 1000, 2);
  });

  test("an invalid range is refused with an issue for the parameter", async () => {
    const refused = await organization.read.get("/analytics/uptime?since=2030-01-01T00:00:00Z");
    expect(refused.error).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "since" }] });
  });

  test("Prometheus gets timestamps, every series once, labels escaped", async () => {
    const answer = await organization.read.get("/analytics/metrics");
    expect(answer.header("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = answer.text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(new Set(lines.map((line) => line.slice(0, line.lastIndexOf(" ")))).size).toBe(lines.length);
    const expires = lines.filter((line) => line.startsWith("sealwatch_certificate_not_after_timestamp_seconds{"));
    expect(expires).toHaveLength(3);
    expect(expires.join()).toContain(`} ${shared.certificate.notAfter.getTime() / 1000}`);
    expect(lines).toContainEqual(expect.stringMatching(/^sealwatch_monitor_up\{.*name="down \\"quoted\\"".*\} 0$/));
  });

  test("Prometheus gets no response time of a heartbeat, which has none", async () => {
    const own = await newOrganization(server);
    const made = await own.admin.post<MonitorWithUrl>("/uptime", { name: "nightly", type: "heartbeat" });
    expect((await fetch(made.data.heartbeat_url ?? "")).status).toBe(200);
    const lines = (await own.read.get("/analytics/metrics")).text.split("\n");
    const ofMonitor = lines.filter((line) => line.startsWith("sealwatch_monitor_"));
    expect(ofMonitor.map((line) => line.slice(0, line.indexOf("{")))).toEqual([
      "sealwatch_monitor_up",
      "sealwatch_monitor_last_check_timestamp_seconds",
    ]);
  });
});
