import { beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newReceiver } from "@/e2e/support/stand-ins/receiver";
import type { Destination } from "@/lib/destinations/contract";
import { type DestinationType, destinationTypes, shapeOf } from "@/lib/destinations/shapes";
import { newId } from "@/lib/ids";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import { secretFields } from "@/lib/notification-channels/providers/settings";
import { type ChannelType, channelTypes } from "@/lib/notification-channels/providers/types";

const server = sharedServer();
let organization: Organization;
beforeAll(async () => {
  organization = await newOrganization(server);
});

/** A channel of each type with all its secrets, and a change that would send them elsewhere; null if no setting can. */
const kinds: Record<ChannelType, { settings: Record<string, unknown>; elsewhere: Record<string, string> | null }> = {
  email: {
    settings: { to: ["a@example.test"], from: "b@example.test", smtp_url: "smtps://u:p@mail.example.test:465" },
    elsewhere: null,
  },
  // A webhook's signing secret is never sent.
  webhook: { settings: { url: "https://one.example.test/" }, elsewhere: null },
  slack: { settings: { url: "https://hooks.example.test/a" }, elsewhere: null },
  teams: { settings: { url: "https://hooks.example.test/a" }, elsewhere: null },
  discord: { settings: { url: "https://hooks.example.test/a" }, elsewhere: null },
  pagerduty: { settings: { routing_key: "R".repeat(32) }, elsewhere: { api_url: "https://events.example.test" } },
  telegram: {
    settings: { bot_token: `123456:${"t".repeat(35)}`, chat_id: "@on_duty" },
    elsewhere: { api_url: "http://api.telegram.org" },
  },
  ntfy: {
    settings: { topic: "ops", token: "tk_secret", server: "https://ntfy.example.test" },
    elsewhere: { server: "https://ntfy.example.test:8443" },
  },
};

test.each(channelTypes)("the secrets of a channel of type %s stay at their origin", async (type) => {
  const { settings, elsewhere } = kinds[type];
  const made = await organization.admin.post<NotificationChannel>("/notification-channels", {
    type,
    name: newId(),
    settings,
  });
  expect(made.data.secrets, "give all of them").toEqual([...secretFields[type]]);
  const path = `/notification-channels/${made.data.id}`;
  if (elsewhere === null) return;
  const refused = await organization.admin.put(path, { settings: elsewhere });
  expect([refused.status, refused.error.code]).toEqual([400, "INVALID_REQUEST"]);
  expect(refused.error.issues?.map(({ path }) => path)).toEqual(secretFields[type].map((name) => `settings.${name}`));
  const kept = await organization.admin.get<NotificationChannel>(path);
  expect(kept.data).toMatchObject({ settings: made.data.settings, updated_at: made.data.updated_at });

  const secrets = Object.fromEntries(secretFields[type].map((name) => [name, settings[name]]));
  expect((await organization.admin.put(path, { settings: { ...elsewhere, ...secrets } })).status).toBe(200);
  // Another path of the same origin belongs to the same server.
  const [[field, url] = ["", ""]] = Object.entries(elsewhere);
  expect((await organization.admin.put(path, { settings: { [field]: `${url}/v2` } })).status).toBe(200);
});

test("a channel's test does not send its token to an origin set by a caller without the token", async () => {
  const receiver = await newReceiver();
  const { data } = await organization.admin.post<NotificationChannel>("/notification-channels", {
    type: "telegram",
    name: newId(),
    settings: kinds.telegram.settings,
  });
  await organization.admin.put(`/notification-channels/${data.id}`, { settings: { api_url: receiver.url } });
  const [stored] = await query<{ settings: { api_url: string } }>(
    server,
    "app",
    "SELECT settings FROM notification_channels WHERE id = $1",
    [data.id],
  );
  expect(stored?.settings.api_url).toBe("https://api.telegram.org");
  receiver.close();
});

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----";
const KEY = "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----";

/** A destination of each type with all its secrets, and each change of its address that would send them elsewhere. */
const destinations: Record<
  DestinationType,
  { settings: Record<string, unknown>; secrets: Record<string, string>; elsewhere: Record<string, unknown>[] }
> = {
  https: {
    settings: { url: "https://one.example.test/in" },
    secrets: { authorization: "Bearer secret" },
    elsewhere: [{ url: "https://two.example.test/in" }],
  },
  s3: {
    settings: { endpoint: "https://one.example.test", bucket: "audit", access_key_id: "AKID" },
    secrets: { secret_access_key: "secret" },
    elsewhere: [{ endpoint: "https://one.example.test:444" }, { endpoint: null }],
  },
  splunk: {
    settings: { url: "https://one.example.test:8088" },
    secrets: { token: "secret" },
    elsewhere: [{ url: "https://one.example.test:8089" }],
  },
  elastic: {
    settings: { url: "https://one.example.test:9200", username: "sealwatch" },
    secrets: { api_key: "secret", password: "secret" },
    elsewhere: [{ url: "http://one.example.test:9200" }],
  },
  datadog: {
    settings: { site: "datadoghq.com" },
    secrets: { api_key: "secret" },
    elsewhere: [{ site: "datadoghq.eu" }, { intake_url: "https://one.example.test/api/v2/logs" }],
  },
  otlp: {
    settings: { url: "https://one.example.test/v1/logs" },
    secrets: { header_value: "Bearer secret" },
    elsewhere: [{ url: "https://two.example.test/v1/logs" }],
  },
  syslog: {
    settings: { host: "one.example.test", client_certificate: CERTIFICATE },
    secrets: { client_key: KEY },
    elsewhere: [{ host: "two.example.test" }, { port: 6515 }],
  },
};

describe.each(destinationTypes)("the secrets of a destination of type %s", (type) => {
  const { settings, secrets, elsewhere } = destinations[type];
  const path = (id: string) => `/audit-logs/destinations/${id}`;

  test("are given again whenever an address is saved that leads elsewhere", async () => {
    const { admin } = await newOrganization(server);
    const made = await admin.post<Destination>("/audit-logs/destinations", { type, name: newId(), settings, secrets });
    expect(made.data.secrets, made.text).toEqual(Object.keys(shapeOf(type).secrets.parse(secrets) as object));
    const addresses = elsewhere.flatMap((change) => Object.keys(change));
    expect([...new Set(addresses)], "change each").toEqual([...shapeOf(type).addresses]);
    for (const change of elsewhere) {
      const refused = await admin.put(path(made.data.id), { settings: change });
      expect([refused.status, refused.error.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(refused.error.issues?.map((issue) => issue.path)).toEqual(
        Object.keys(secrets).map((name) => `secrets.${name}`),
      );
    }
    const kept = await admin.get<Destination>(path(made.data.id));
    const { updated_at } = made.data;
    expect(kept.data).toMatchObject({ settings: made.data.settings, updated_at });
    for (const change of elsewhere) {
      const moved = await admin.put<Destination>(path(made.data.id), { settings: change, secrets });
      expect(moved.data, moved.text).toMatchObject({ settings: change, secrets: Object.keys(secrets) });
    }
  });
});

describe("a monitor's headers", () => {
  const create = async (headers: Record<string, string>) => {
    const body = { name: newId(), type: "http", target: "https://one.example.test/health", headers, paused: true };
    return (await organization.admin.post<{ id: string }>("/uptime", body)).data.id;
  };

  test.each(["https://two.example.test/health", "http://one.example.test/health", "https://one.example.test:444/"])(
    "do not go to %s unless they are given again",
    async (target) => {
      const id = await create({ Authorization: "Bearer secret" });
      const refused = await organization.admin.put(`/uptime/${id}`, { target });
      expect([refused.status, refused.error.issues?.map(({ path }) => path)]).toEqual([400, ["headers"]]);
      const headers = { Authorization: "Bearer other" };
      expect((await organization.admin.put(`/uptime/${id}`, { target, headers })).status).toBe(200);
      expect((await organization.admin.put(`/uptime/${id}`, { target, headers: {} })).status).toBe(200);
    },
  );

  test("stay for another path, and a monitor without headers can change its origin", async () => {
    const id = await create({ Authorization: "Bearer secret" });
    expect((await organization.admin.put(`/uptime/${id}`, { target: "https://one.example.test/ready" })).status).toBe(
      200,
    );
    const bare = await create({});
    expect((await organization.admin.put(`/uptime/${bare}`, { target: "https://two.example.test/" })).status).toBe(200);
  });
});
