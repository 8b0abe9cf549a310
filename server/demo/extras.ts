import { createAuditView } from "@/lib/audit-views/create";
import { createCalendar } from "@/lib/certificates/calendars/create-calendar";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { createNotificationChannel } from "@/lib/notification-channels/create";
import { createStatusPage } from "@/lib/status-pages/create";
import { acknowledge } from "@/server/demo/alerts";
import type { Done, Step, When } from "@/server/demo/story";

/** What people set up besides hosts, monitors and keys, and what they did about alerts. */
export function setUps(ada: Principal, katherine: Principal, when: When, done: Done): Step[] {
  return [
    { at: when(79, 9.5), run: () => addChannel(ada, when(79, 9.5), done) },
    { at: when(62, 10.2), run: () => addCalendar(ada, when(62, 10.2), done) },
    { at: when(40, 15.1), run: () => saveView(katherine, when(40, 15.1), done) },
    { at: when(25, 10.4), run: () => publish(ada, when(25, 10.4), done) },
    {
      at: when(40, 8.6),
      run: () =>
        acknowledge(ada, when(40, 8.6), "printer.northwind.example", "The vendor’s own certificate. It stays.", done),
    },
    {
      at: when(27, 8.9),
      run: () =>
        acknowledge(
          katherine,
          when(27, 8.9),
          "hooks.northwind.example",
          "The chain lacks the intermediate. Asked the provider.",
          done,
        ),
    },
  ];
}

async function addChannel(by: Principal, at: number, done: Done): Promise<void> {
  const body = {
    type: "webhook" as const,
    // Messages cannot arrive there: `.example` is reserved (RFC 2606).
    name: "Chat room (example, not reachable)",
    settings: { url: "https://chat.northwind.example/hook" },
  };
  await done(at, by, { action: "notification_channel.create", body }, () => createNotificationChannel(by, body));
}

async function addCalendar(by: Principal, at: number, done: Done): Promise<void> {
  const body = { name: "Expirations in production", tag: "production", owner: null, shows: "expirations" as const };
  await done(at, by, { action: "certificate_calendar.create", body }, () => createCalendar(by, body));
}

async function saveView(by: Principal, at: number, done: Done): Promise<void> {
  const body = {
    name: "Refused requests",
    scope: "organization" as const,
    query: { status: "4xx", range: "7d" as const },
  };
  await done(at, by, { action: "audit_view.create", body }, () => createAuditView(by, body));
}

/** A public status page of what customers use. */
async function publish(by: Principal, at: number, done: Done): Promise<void> {
  const { organizationId } = by;
  const sites = [];
  for (const [label, host] of [
    ["Shop", "shop.northwind.example"],
    ["API", "api.northwind.example"],
    ["Sign-in", "login.northwind.example"],
  ] as const) {
    const monitor = await db().uptimeMonitor.findFirstOrThrow({ where: { organizationId, name: label } });
    const endpoint = await db().certificateEndpoint.findFirstOrThrow({ where: { organizationId, host } });
    sites.push({ label, monitor_id: monitor.id, endpoint_id: endpoint.id });
  }
  const body = { title: "Northwind status", slug: "northwind", published: true, sites };
  await done(at, by, { action: "status_page.create", id: organizationId, body }, () =>
    createStatusPage(by, { id: organizationId, ...body }),
  );
}
