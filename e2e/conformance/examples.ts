import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { aResult, enroll, newAgent, newSigner } from "@/e2e/support/agent";
import type { Organization } from "@/e2e/support/organization";
import { newSession } from "@/e2e/support/session";
import { arrange, newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { signedNotice } from "@/e2e/support/stand-ins/stripe";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTls } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { listAlerts } from "@/lib/alerts/list";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { db } from "@/lib/db/app";
import type { Action } from "@/lib/http/actions";
import type { Endpoint } from "@/lib/http/endpoint";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { setMember } from "@/lib/organizations/set-member";
import type { Domain } from "@/lib/subdomains/domain-contract";

/** The input of a request that succeeds. */
export interface Example {
  /** Fill the braces of the path. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

type MakeExample = (organization: Organization) => Promise<Example>;

const aKey: MakeExample = async ({ newKey }) => ({ params: { id: (await newKey()).id } });

const anEndpoint: MakeExample = async ({ admin }) => {
  // Closed ports can repeat; the name makes it a different endpoint.
  const body = { host: "127.0.0.1", port: await closedPort(), sni: `n${newId()}.example.test` };
  const { data } = await admin.post<{ id: string }>("/certificates/endpoints", body);
  return { params: { id: data.id } };
};

const aCertificate: MakeExample = async ({ admin }) => {
  const server = await serveTls([await makeCertificate({ name: "localhost", sans: ["127.0.0.1"] })]);
  const body = { host: "127.0.0.1", port: server.port };
  const { data } = await admin.post<{ certificate: { id: string } }>("/certificates/endpoints", body);
  await server.close();
  return { params: { id: data.certificate.id } };
};

const aPem = async () => ({ pem: (await makeCertificate({ name: "localhost", sans: ["localhost"] })).pem });

const aReportedEndpoint: MakeExample = async ({ admin }) => {
  const body = { host: `${newId()}.internal`, reported: true };
  const { data } = await admin.post<{ id: string }>("/certificates/endpoints", body);
  return { params: { id: data.id } };
};

const aTrustStore: MakeExample = async ({ admin }) => {
  const body = { name: newId(), ...(await aPem()) };
  const { data } = await admin.post<{ id: string }>("/certificates/trust-stores", body);
  return { params: { id: data.id } };
};

const anAgent: MakeExample = async (organization) => ({ params: { id: (await newAgent(organization)).id } });

const aCalendar: MakeExample = async ({ admin }) => {
  const { data } = await admin.post<{ id: string }>("/certificates/calendars", { name: "Example" });
  return { params: { id: data.id } };
};

const aFeed: MakeExample = async ({ admin }) => {
  const { data } = await admin.post<{ id: string; url: string }>("/certificates/calendars", { name: "Example" });
  return { params: { id: data.id }, query: Object.fromEntries(new URL(data.url).searchParams) };
};

const anEntry: MakeExample = async ({ admin }) => ({ params: { id: (await admin.get("/api-keys")).requestId } });

const aSealedEntry: MakeExample = async (organization) => {
  const entry = await anEntry(organization);
  await whenSigned(organization.id, Object.values(entry.params ?? {}));
  return entry;
};

const aSealedEntryWithBody: MakeExample = async ({ id, admin }) => {
  const { requestId } = await admin.post("/audit-logs/views", { name: `View ${newId()}`, query: {} });
  await whenSigned(id, [requestId]);
  return { params: { id: requestId }, body: { part: "body", reason: "Example" } };
};

const aView: MakeExample = async ({ admin }) => {
  const body = { name: `View ${newId()}`, scope: "organization", query: { status: "4xx" } };
  return { params: { id: (await admin.post<{ id: string }>("/audit-logs/views", body)).data.id } };
};

const aMonitorInput = async () => ({ name: newId(), type: "tcp", target: `127.0.0.1:${await closedPort()}` });

const aMonitor: MakeExample = async ({ admin }) => {
  const { data } = await admin.post<{ id: string }>("/uptime", await aMonitorInput());
  return { params: { id: data.id } };
};

const anIncident: MakeExample = async ({ admin }) => {
  const body = { ...(await aMonitorInput()), failure_threshold: 1 };
  const { data: made } = await admin.post<{ id: string }>("/uptime", body);
  const { data } = await admin.get<{ id: string }[]>(`/uptime/incidents?monitor_id=${made.id}`);
  return { params: { id: data[0]?.id ?? "" } };
};

const aSpan = { name: "Upgrade", starts_at: "2030-01-01T00:00:00.000Z", ends_at: "2030-01-01T02:00:00.000Z" };

const aMaintenanceWindow: MakeExample = async ({ admin }) => {
  const { data } = await admin.post<{ id: string }>("/uptime/maintenance-windows", aSpan);
  return { params: { id: data.id } };
};

/** Bought through a webhook, like real purchases. */
const aSubscription: MakeExample = async ({ server, id, admin }) => {
  const subscriptionId = `sub_${newId().replaceAll("-", "")}`;
  const held = {
    organizationId: id,
    customer: subscriptionId.replace("sub", "cus"),
    status: "active",
    price: "price_team",
  };
  const { env } = server.plain;
  await fetch(`${env.STRIPE_API_URL}/held/${subscriptionId}`, { method: "PUT", body: JSON.stringify(held) });
  const { body, headers } = signedNotice("customer.subscription.created", { id: subscriptionId });
  await admin.post("/billing/webhook", body, { headers });
  return {};
};

const aWebhookInput = async () => ({
  type: "webhook",
  name: newId(),
  settings: { url: `http://127.0.0.1:${await closedPort()}/` },
});

const aDestinationInput = async () => ({
  ...{ name: newId(), type: "https" },
  settings: { url: `http://127.0.0.1:${await closedPort()}/` },
});

const aDestination: MakeExample = async ({ admin }) => {
  const made = await admin.post<{ id: string }>("/audit-logs/destinations", await aDestinationInput());
  return { params: { id: made.data.id } };
};

const aChannel: MakeExample = async ({ admin }) => {
  const { data } = await admin.post<{ id: string }>("/notification-channels", await aWebhookInput());
  return { params: { id: data.id } };
};

const aFailedDelivery: MakeExample = async (organization) => {
  const { params } = await aChannel(organization);
  const { data } = await organization.admin.post<{ id: string }>(`/notification-channels/${params?.id}/test`);
  return { params: { id: data.id } };
};

const aRuleInput = () => ({
  name: newId(),
  condition: { type: "time_left" },
  steps: [{ share_left: 1, severity: "info" }],
});

const aRule: MakeExample = async ({ admin }) => {
  const { data } = await admin.post<{ id: string }>("/alert-rules", aRuleInput());
  return { params: { id: data.id } };
};

/** An alert about a submitted certificate, to which any rule about the time left can apply. */
const anAlert: MakeExample = async ({ id, admin }) => {
  await admin.post("/certificates", await aPem());
  const { data: rule } = await admin.post<{ id: string }>("/alert-rules", aRuleInput());
  const asked = { status: "open", rule_id: rule.id, limit: 1, cursor: undefined } as const;
  const any = {
    severity: undefined,
    subject_id: undefined,
    certificate_id: undefined,
    since: undefined,
    until: undefined,
  };
  const found = await until("the worker opened an alert", async () => {
    return (await listAlerts(systemPrincipal(id), { ...asked, ...any })).items[0];
  });
  return { params: { id: found.id } };
};

const itself: MakeExample = async ({ id }) => ({ params: { id } });

const aMember: MakeExample = async ({ server, id }) => {
  const { userId, email } = await newSession(server);
  const principal = systemPrincipal(id);
  await withAuditEvent({ action: "member.set", principal }, () => setMember(principal, { email, permission: "read" }));
  return { params: { id, user_id: userId } };
};

const anInvitation: MakeExample = async ({ id, admin }) => {
  const body = { email: `${newId()}@example.test` };
  const { data } = await admin.post<{ id: string }>(`/organizations/${id}/invitations`, body);
  return { params: { id, invitation_id: data.id } };
};

const aStatusPage: MakeExample = async ({ id, admin }) => {
  const { data } = await admin.post<{ id: string }>(`/organizations/${id}/status-pages`, { title: "Example" });
  return { params: { id, page_id: data.id } };
};

/** Added, and verified by its TXT record. */
const aDomain: MakeExample = async ({ server, admin }) => {
  const name = newDomainName();
  const { data } = await admin.post<Domain>("/subdomains/domains", { name });
  const { record_name, record_value } = data.proof;
  await arrange(server, { zones: { [record_name]: { txt: [record_value] } } });
  await admin.post(`/subdomains/domains/${data.id}/verify`);
  return { params: { id: data.id } };
};

/** As a run of discovery would write it. */
const anIssuance: MakeExample = async ({ id: organizationId, admin }) => {
  const { data } = await admin.post<Domain>("/subdomains/domains", { name: newDomainName() });
  const [id, at] = [newId(), new Date()];
  const seen = {
    names: [data.name],
    issuer: "CN=Example",
    notBefore: at,
    notAfter: at,
    sources: ["dns"],
    firstSeenAt: at,
  };
  await db().issuance.create({ data: { organizationId, id, domainId: data.id, key: Buffer.from(id), ...seen } });
  return { params: { id }, body: {} };
};

const aSubdomain: MakeExample = async ({ id: organizationId, admin }) => {
  const { data } = await admin.post<Domain>("/subdomains/domains", { name: newDomainName() });
  const [id, now] = [newId(), new Date()];
  const name = `www.${data.name}`;
  const seen = { sources: ["dns"], firstSeenAt: now, lastSeenAt: now };
  await db().subdomain.create({ data: { organizationId, id, domainId: data.id, name, wildcard: false, ...seen } });
  return { params: { id } };
};

const nothing: MakeExample = async () => ({});

/** One entry per endpoint, by its action. A GET without path parameters needs none. */
const examples: Partial<Record<Action, MakeExample>> = {
  "api_key.create": async () => ({ body: { name: "Example" } }),
  "api_key.get": aKey,
  "api_key.update": async (organization) => ({ ...(await aKey(organization)), body: { name: "Changed" } }),
  "api_key.revoke": aKey,
  "api_key.rotate": aKey,
  "api_key.identify": async () => ({ query: { secret_sha256: "0".repeat(64) } }),
  "api_key.usage": aKey,
  "api_key.old_secrets": aKey,
  "api_key.handle_old_secrets": async (organization) => ({ ...(await aKey(organization)), body: { note: "Done" } }),
  "api_key.preview_whitelist": async (organization) => ({
    ...(await aKey(organization)),
    body: { ip_whitelist: ["192.0.2.0/24"] },
  }),
  "destination.create": async () => ({ body: await aDestinationInput() }),
  "destination.try": async (organization) => {
    await aSealedEntry(organization);
    return { body: await aDestinationInput() };
  },
  "destination.get": aDestination,
  "destination.activity": aDestination,
  "destination.update": async (organization) => ({ ...(await aDestination(organization)), body: { name: newId() } }),
  "destination.delete": aDestination,
  "destination.pause": aDestination,
  "destination.resume": async (organization) => {
    const example = await aDestination(organization);
    await organization.admin.post(`/audit-logs/destinations/${example.params?.id}/pause`);
    return example;
  },
  "destination.replay": async (organization) => {
    await aSealedEntry(organization);
    return { ...(await aDestination(organization)), body: { index: 0 } };
  },
  "destination.test": async (organization) => {
    await aSealedEntry(organization);
    return aDestination(organization);
  },
  "destination.rotate_secret": aDestination,
  "audit_log.export": async () => ({ query: { format: "json" } }),
  "audit_log.group": async () => ({ query: { by: "api_key_id,status" } }),
  "audit_log.consistency": async (organization) => {
    await aSealedEntry(organization);
    return { query: { from: "1", to: "1" } };
  },
  "audit_log.context": anEntry,
  "audit_log.get": anEntry,
  "audit_log.proof": aSealedEntry,
  "audit_log.set_anchors": async (organization) => {
    const { params } = await aChannel(organization);
    return { body: { channel_ids: [params?.id] } };
  },
  "audit_log.redact": aSealedEntryWithBody,
  "audit_log.hold_placed": async () => ({ body: { name: "Case 4711", reason: "Litigation", filter: "status=5xx" } }),
  "audit_log.hold_released": async ({ admin }) => {
    const { data } = await admin.post<{ id: string }>("/audit-logs/holds", { name: "Case 4712", reason: "Litigation" });
    return { params: { id: data.id } };
  },
  "audit_view.create": async () => ({ body: { name: "Example", query: { status: "4xx,!404", range: "7d" } } }),
  "audit_view.get": aView,
  "audit_view.update": async (organization) => ({ ...(await aView(organization)), body: { name: "Changed" } }),
  "audit_view.delete": aView,
  "billing.checkout": async () => ({ body: { plan: "team" } }),
  "billing.notice": async () => signedNotice("invoice.created", { id: "in_1" }),
  "billing.portal": aSubscription,
  "certificate.add": async () => ({ body: await aPem() }),
  "certificate.get": aCertificate,
  "certificate.hand_in": async () => ({ body: await aPem() }),
  "certificate.download": aCertificate,
  "certificate.history": aCertificate,
  "certificate.export": async () => ({ query: { format: "csv" } }),
  "certificate_calendar.create": async () => ({ body: { name: "Example" } }),
  "certificate_calendar.get": aCalendar,
  "certificate_calendar.delete": aCalendar,
  "certificate_calendar.feed": aFeed,
  "certificate_endpoint.create": async () => ({ body: { host: "127.0.0.1", port: await closedPort() } }),
  "certificate_endpoint.bulk_upsert": async () => ({
    body: { items: [{ host: "127.0.0.1", port: await closedPort() }] },
  }),
  "certificate_endpoint.bulk_update": async (organization) => ({
    body: { ids: [(await anEndpoint(organization)).params?.id], add_tags: ["example"] },
  }),
  "certificate_endpoint.bulk_check": async () => ({ body: { tag: "example" } }),
  "certificate_endpoint.import": async () => ({
    body: { format: "lines", text: `127.0.0.1:${await closedPort()}`, dry_run: true },
  }),
  "certificate_endpoint.get": anEndpoint,
  "certificate_endpoint.history": anEndpoint,
  "certificate_endpoint.export": async () => ({ query: { format: "json" } }),
  "certificate_endpoint.update": async (organization) => ({
    ...(await anEndpoint(organization)),
    body: { sni: "example.test" },
  }),
  "certificate_endpoint.delete": anEndpoint,
  "certificate_endpoint.check": anEndpoint,
  "certificate_endpoint.report": async (organization) => ({
    ...(await aReportedEndpoint(organization)),
    body: await aPem(),
  }),
  "certificate_agent.create": async () => ({ body: { name: newId() } }),
  "certificate_agent.get": anAgent,
  "certificate_agent.delete": anAgent,
  "certificate_agent.replace_credentials": anAgent,
  "certificate_agent.enroll": async (organization) => ({
    ...(await anAgent(organization)),
    body: { public_key: newSigner().publicKey, version: "1" },
  }),
  "certificate_agent.targets": anAgent,
  "certificate_agent.report": async (organization) => {
    const { id } = await newAgent(organization);
    const signer = await enroll(organization, id);
    return { params: { id }, body: signer.sign(id, 1, [aResult()]) };
  },
  "certificate_trust_store.create": async () => ({ body: { name: newId(), ...(await aPem()) } }),
  "certificate_trust_store.get": aTrustStore,
  "certificate_trust_store.update": async (organization) => ({
    ...(await aTrustStore(organization)),
    body: { name: newId() },
  }),
  "certificate_trust_store.delete": aTrustStore,
  "monitor.create": async () => ({ body: await aMonitorInput() }),
  "monitor.get": aMonitor,
  "monitor.update": async (organization) => ({ ...(await aMonitor(organization)), body: { tags: ["changed"] } }),
  "monitor.delete": aMonitor,
  "monitor.check": aMonitor,
  "monitor.rotate_url": async ({ admin }) => {
    const body = { name: newId(), type: "heartbeat" };
    return { params: { id: (await admin.post<{ id: string }>("/uptime", body)).data.id } };
  },
  "monitor.stats": aMonitor,
  "monitor.bulk_upsert": async () => ({ body: { items: [await aMonitorInput()] } }),
  "monitor.bulk_update": async (organization) => ({
    body: { ids: [(await aMonitor(organization)).params?.id], paused: true },
  }),
  "monitor.bulk_check": async () => ({ body: { tag: "example" } }),
  "uptime_check.list": aMonitor,
  "incident.get": anIncident,
  "incident.update": async (organization) => ({ ...(await anIncident(organization)), body: { note: "Known." } }),
  "maintenance_window.create": async () => ({ body: aSpan }),
  "maintenance_window.get": aMaintenanceWindow,
  "maintenance_window.update": async (organization) => ({
    ...(await aMaintenanceWindow(organization)),
    body: { name: "Changed" },
  }),
  "maintenance_window.delete": aMaintenanceWindow,
  "domain.create": async () => ({ body: { name: newDomainName() } }),
  "domain.get": aDomain,
  "domain.update": async (organization) => ({ ...(await aDomain(organization)), body: { interval_hours: 12 } }),
  "domain.delete": aDomain,
  "domain.verify": aDomain,
  "domain.discover": aDomain,
  "subdomain.get": aSubdomain,
  "issuance.authorize": anIssuance,
  "subdomain.review": async (organization) => ({
    body: { action: "ignore", ids: [(await aSubdomain(organization)).params?.id] },
  }),
  "alert.bulk": async (organization) => ({
    body: { action: "acknowledge", ids: [(await anAlert(organization)).params?.id] },
  }),
  "alert.get": anAlert,
  "alert.acknowledge": anAlert,
  "alert.snooze": async (organization) => ({
    ...(await anAlert(organization)),
    body: { until: new Date(Date.now() + 3_600_000).toISOString() },
  }),
  "alert.resolve": async (organization) => ({ ...(await anAlert(organization)), body: { note: "Known." } }),
  "alert_rule.coverage": async ({ newKey }) => ({
    query: { resource_type: "api_key", resource_id: (await newKey()).id },
  }),
  "alert_rule.create": async () => ({ body: aRuleInput() }),
  "alert_rule.get": aRule,
  "alert_rule.update": async (organization) => ({ ...(await aRule(organization)), body: { repeat_minutes: 60 } }),
  "alert_rule.delete": aRule,
  "alert_rule.preview": async () => ({ body: aRuleInput() }),
  "alert_rule.send_test": async (organization) => ({ ...(await aRule(organization)), body: {} }),
  "alert_rule.test": aRule,
  "organization.create": async () => ({ body: { name: "Example" } }),
  "organization.get": itself,
  "organization.update": async (organization) => ({ ...(await itself(organization)), body: { name: newId() } }),
  "organization.delete": itself,
  "organization.restore": itself,
  "organization.export": itself,
  "organization.search": async (organization) => ({ ...(await itself(organization)), query: { q: "key" } }),
  "member.list": itself,
  "member.update": async (organization) => ({ ...(await aMember(organization)), body: { permission: "admin" } }),
  "member.remove": aMember,
  "invitation.list": itself,
  "invitation.create": async ({ id }) => ({ params: { id }, body: { email: `${newId()}@example.test` } }),
  "invitation.withdraw": anInvitation,
  "status_page.list": itself,
  "status_page.create": async ({ id }) => ({ params: { id }, body: { title: "Example" } }),
  "status_page.get": aStatusPage,
  "status_page.update": async (organization) => ({ ...(await aStatusPage(organization)), body: { published: true } }),
  "status_page.delete": aStatusPage,
  "notification_channel.create": async () => ({ body: await aWebhookInput() }),
  "notification_channel.get": aChannel,
  "notification_channel.update": async (organization) => ({
    ...(await aChannel(organization)),
    body: { name: newId() },
  }),
  "notification_channel.delete": aChannel,
  "notification_channel.test": aChannel,
  "notification_channel.rotate_secret": aChannel,
  "notification_delivery.retry": aFailedDelivery,
};

/** The example of an endpoint for an organization. Throws if there is none. */
export function exampleOf({ action, method, path }: Endpoint, organization: Organization): Promise<Example> {
  const make = examples[action] ?? (method === "GET" && !path.includes("{") ? nothing : undefined);
  if (make === undefined) throw new Error(`say in e2e/conformance/examples.ts how ${action} succeeds`);
  return make(organization);
}
