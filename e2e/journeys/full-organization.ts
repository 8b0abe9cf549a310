import { expect } from "playwright/test";
import { withKey } from "@/e2e/support/api";
import type { SignedIn } from "@/e2e/support/session";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";

export interface Full {
  /** The event of a refused request, with a body and a flag. */
  entryId: string;
  /** With findings; the other endpoint is unreachable. */
  endpointId: string;
  certificateId: string;
  /** With requests of all kinds, one of them with a rotated secret. */
  keyId: string;
  /** An alert about the first endpoint's certificate, by a default rule. */
  alertId: string;
  ruleId: string;
  /** Disabled, with a message that could not be sent. */
  channelId: string;
  /** Nothing listens there. */
  destinationId: string;
  server: TestServer;
}

interface Endpoint {
  id: string;
  certificate: { id: string } | null;
}

/** Gives an organization data of every kind that a page can show. */
export async function fill({ api }: SignedIn): Promise<Full> {
  const key = async (name: string, fields = {}) =>
    (await api.post<{ id: string; secret: string }>("/api-keys", { name, ...fields })).data;
  const [reader, gone] = [await key("metrics"), await key("laptop")];
  await key("ci-deploy", { permission: "admin", ip_whitelist: ["192.0.2.10", "2001:db8::/32"] });
  await api.delete(`/api-keys/${gone.id}`);

  const authority = await makeAuthority("Cellar");
  const server = await serveTls([await authority.leaf({ fromDays: -80, untilDays: 10 }), authority.intermediate]);
  const watch = async (port: number) =>
    (await api.post<Endpoint>("/certificates/endpoints", { host: "127.0.0.1", port, sni: "good.test" })).data;
  const endpoint = await watch(server.port);
  await watch(1);
  if (endpoint.certificate === null) throw new Error("no certificate was seen");

  const metrics = withKey(api, reader.secret);
  expect((await metrics.get("/certificates")).status).toBe(200);
  expect((await metrics.get("/nothing?here=at+all")).status).toBe(404);
  expect((await withKey(api, gone.secret).get("/certificates")).status).toBe(401);
  const refused = await metrics.post("/certificates/endpoints", { host: "example.test", port: 443 });
  expect(refused.status).toBe(403);
  await api.post(`/api-keys/${reader.id}/rotate`);
  expect((await metrics.get("/certificates")).status).toBe(401);
  const webhook = { type: "webhook", name: "Nobody listens", settings: { url: "http://127.0.0.1:1/hook" } };
  const { data: channel } = await api.post<{ id: string }>("/notification-channels", webhook);
  await api.post(`/notification-channels/${channel.id}/test`);
  await api.put(`/notification-channels/${channel.id}`, { enabled: false });
  const { data: destination } = await api.post<{ id: string }>("/audit-logs/destinations", {
    ...{ type: "https", name: "SIEM", settings: { url: "http://127.0.0.1:1/audit" }, start: "oldest" },
    query: { security_event: "true" },
  });
  const alert = await until("the rules that are there from the beginning alert", async () => {
    const { data } = await api.get<{ id: string; rule: { id: string } }[]>(
      `/alerts?status=open&subject_id=${endpoint.id}`,
    );
    return data[0];
  });
  return {
    alertId: alert.id,
    ruleId: alert.rule.id,
    channelId: channel.id,
    destinationId: destination.id,
    entryId: refused.requestId,
    keyId: reader.id,
    endpointId: endpoint.id,
    certificateId: endpoint.certificate.id,
    server,
  };
}

export interface Uptime {
  /** The one that is down. */
  monitorId: string;
  incidentId: string;
}

/** Adds monitors, one of them down, a maintenance window, a trust store, an agent and a calendar. */
export async function fillUptime({ api }: SignedIn, { server }: Full): Promise<Uptime> {
  const monitor = async (name: string, port: number) =>
    (
      await api.post<{ id: string }>("/uptime", {
        name,
        type: "tcp",
        target: `127.0.0.1:${port}`,
        failure_threshold: 1,
        tags: ["production"],
      })
    ).data;
  await monitor("front door", server.port);
  const down = await monitor("back door", 1);
  await api.post("/uptime/maintenance-windows", {
    name: "Database upgrade",
    starts_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    repeat: "weekly",
  });
  const { root } = await makeAuthority("Ours");
  await api.post("/certificates/trust-stores", { name: "Ours", pem: root.pem });
  await api.post("/certificates/agents", { name: "Office" });
  await api.post("/certificates/calendars", { name: "Team" });
  const { data: incidents } = await api.get<{ id: string }[]>(`/uptime/incidents?monitor_id=${down.id}`);
  const [incident] = incidents;
  if (!incident) throw new Error("nothing went down");
  return { monitorId: down.id, incidentId: incident.id };
}
