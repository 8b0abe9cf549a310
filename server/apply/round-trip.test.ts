import { expect, test } from "vitest";
import { ruleColumns, toAlertRule } from "@/lib/alerts/rules/alert-rule";
import { alertRuleInput } from "@/lib/alerts/rules/contract";
import { createCertificateEndpoint } from "@/lib/certificates/contract";
import { toCertificateEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import { newEndpoint } from "@/lib/certificates/endpoints/create-endpoint";
import { monitorInput } from "@/lib/uptime/fields";
import { newMonitor } from "@/lib/uptime/monitors/create-monitor";
import { toMonitor } from "@/lib/uptime/monitors/monitor";
import { plan } from "@/server/apply/plan";
import { presentResource } from "@/server/apply/present-resources";
import { readManifest } from "@/server/apply/read-manifest";
import { creationBody } from "@/server/apply/request-body";
import type { Kind, References, Wanted } from "@/server/apply/resource";

const organizationId = "01a1fd09-138a-732b-878b-cbdb1158cd55";
const [channelId, storeId, agentId] = [
  "01a1fd09-138a-732b-878b-cbdb1158cd56",
  "01a1fd09-138a-732b-878b-cbdb1158cd57",
  "01a1fd09-138a-732b-878b-cbdb1158cd58",
];
const references: References = {
  channels: new Map([[channelId, "Pager"]]),
  trustStores: new Map([[storeId, "Internal"]]),
  agents: new Map([[agentId, "Basement"]]),
};
const now = new Date("2026-11-24T10:00:00Z");
const unchecked = { status: "pending", statusSince: null, lastCheck: null, reachabilitySince: null, findings: [] };

/** What the API returns of a resource that this body creates, without a database: its contract, its row and its output. */
const created: Readonly<Partial<Record<Kind, (body: unknown) => unknown>>> = {
  endpoints: (body) => {
    const row = newEndpoint(organizationId, createCertificateEndpoint.body.parse(body), null, now);
    const more = { reportedAt: null, lastCheckedAt: null, certificate: null, connection: null, renewalDueAt: null };
    return toCertificateEndpoint({ ...row, ...unchecked, ...more } as unknown as Parameters<
      typeof toCertificateEndpoint
    >[0]);
  },
  monitors: (body) => {
    const row = newMonitor(organizationId, monitorInput.parse(body), now);
    return toMonitor({ ...row, ...unchecked } as unknown as Parameters<typeof toMonitor>[0]);
  },
  alert_rules: (body) => {
    const columns = ruleColumns(alertRuleInput.parse(body));
    const row = { organizationId, id: channelId, ...columns, createdAt: now, updatedAt: now };
    // The database returns null for what is written as its null.
    const quietHours =
      columns.quietHours instanceof Object && "start" in columns.quietHours ? columns.quietHours : null;
    return toAlertRule({ ...row, quietHours } as unknown as Parameters<typeof toAlertRule>[0], 0);
  },
};

const manifest = `
version: 1
endpoints:
  - host: SHOP.example
  - { host: "2001:DB8::1", protocol: ldap, tags: [B, a, b], sni: Ldap.example, address_mode: all }
  - host: bücher.example
    connect_to: 192.0.2.7
    trust_store: Internal
    agent: Basement
    pins: ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
    expected_accounts: [https://acme.example/acct/1]
    max_lifetime_days: 90
    owner: "  Platform "
    renewal_method: acme
    renewal_note: " by hand "
    renewal_link: https://wiki.example/renew
monitors:
  - { name: Plain, type: http, target: https://a.example }
  - name: All
    type: http
    target: https://a.example/x?y=1
    method: POST
    request_body: '{"a": 1}'
    expected_status: ["204", 3xx]
    expected_text: ok
    forbidden_text: error
    expected_pattern: "^o(k)"
    expected_json: [{ path: "$.a[*]" }, { path: $.b, comparison: at_least, value: 3 }]
    expected_headers: { X-Cache: "", content-type: json }
    max_response_time_ms: 900
    min_certificate_days: 10
    follow_redirects: false
    verify_tls: false
    trust_store: Internal
    ip_version: "4"
    tags: [z, a, z]
    paused: true
  - { name: Names, type: dns, target: Example.com, dns: { record_type: MX, expected: ["10 mail.example.com"] } }
  - { name: Text, type: tcp, target: "db.example:25", tcp: { send: "EHLO\\r\\n", expected_text: "250" } }
  - { name: Echo, type: ping, target: host.example, ping: { count: 2 } }
  - { name: Echo2, type: ping, target: host.example }
  - { name: Beat, type: heartbeat, interval_seconds: 604800 }
alert_rules:
  - name: Few
    condition: { type: finding }
    steps: [{}]
  - name: Many
    selector: { tags: [a], ids: [${storeId}] }
    condition: { type: finding, severity: critical }
    steps:
      - { after_minutes: 5, channels: [Pager] }
      - { after_minutes: 10, severity: critical, channels: [] }
    repeat_minutes: 60
    resolve_after_minutes: 0
    send_resolved: false
    quiet_hours: { start: "22:00", end: "06:00", time_zone: Europe/Berlin }
  - name: Events
    condition: { type: event_count, query: { action: api_key.create } }
    steps: [{ severity: info }]
`;

const { wanted, managed } = readManifest(manifest, {});

test.each(wanted.map((each): [string, Wanted] => [`${each.kind} ${each.name}`, each]))(
  "what is created for %s equals what the manifest says",
  (_, each) => {
    const item = created[each.kind]?.(creationBody(each, references));
    const present = presentResource(each.kind, item, references);
    expect([present.key, present.name]).toEqual([each.key, each.name]);
    const planned = plan({
      wanted: [each],
      managed,
      present: [present],
      prune: true,
      resendSecrets: false,
      ownKeyId: null,
    });
    expect([planned.steps, planned.unchanged, planned.issues]).toEqual([[], 1, []]);
  },
);
