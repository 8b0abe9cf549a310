import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { IdentifiedSecret } from "@/lib/api-keys/identify-contract";
import type { SearchResult } from "@/lib/search/contract";

const server = sharedServer();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let organization: Organization;
let other: Organization;
let certificate: { id: string; sha256: string; serial_number: string };
let ids: Awaited<ReturnType<typeof plant>>;

const down = { condition: { type: "monitor_down" }, steps: [{ severity: "warning" }], resolve_after_minutes: 0 };

/** One thing of each kind whose name contains "tulip". */
async function plant({ admin, id }: Organization) {
  const made = async (path: string, body: unknown) => {
    const { data, status, text } = await admin.post<{ id: string }>(path, body);
    expect(status, text).toBe(201);
    return data.id;
  };
  const settings = { url: "http://127.0.0.1:1/" };
  return {
    endpoint: await made("/certificates/endpoints", { host: "tulip.internal.test", reported: true }),
    monitor: await made("/uptime", { name: "Tulip shop", type: "tcp", target: "127.0.0.1:1" }),
    channel: await made("/notification-channels", { type: "webhook", name: "100% tulips", settings }),
    rule: await made("/alert-rules", { ...down, name: "Tulips down" }),
    destination: await made("/audit-logs/destinations", { type: "https", name: "Tulip SIEM", settings }),
    page: await made(`/organizations/${id}/status-pages`, { title: "Tulips today" }),
    calendar: await made("/certificates/calendars", { name: "Tulip certificates" }),
    window: await made("/uptime/maintenance-windows", {
      ...{ name: "Tulip night", starts_at: "2026-12-01T00:00:00Z", ends_at: "2026-12-01T01:00:00Z" },
    }),
  };
}

beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
  ids = await plant(organization);
  const { pem } = await makeCertificate({ name: "tulip.test", sans: ["tulip.test"] });
  certificate = (await organization.admin.post<typeof certificate>("/certificates", { pem })).data;
});

const search = async (q: string, { api, id }: { api: Organization["read"]; id: string }) =>
  api.get<{ results: SearchResult[]; has_more: boolean }>(`/organizations/${id}/search?q=${encodeURIComponent(q)}`);
const found = async (q: string) => {
  const { data, text } = await search(q, { api: organization.admin, id: organization.id });
  return data?.results.map(({ type, id }) => `${type} ${id}`) ?? text;
};

describe("search", () => {
  test("finds each kind by a part of its name, whatever the case", async () => {
    const key = await organization.newKey({ name: "tulip-deploy" });
    expect(await found("TuLip")).toEqual([
      `api_key ${key.id}`,
      `certificate_endpoint ${ids.endpoint}`,
      `monitor ${ids.monitor}`,
      `alert_rule ${ids.rule}`,
      `notification_channel ${ids.channel}`,
      `destination ${ids.destination}`,
      `status_page ${ids.page}`,
      `certificate_calendar ${ids.calendar}`,
      `maintenance_window ${ids.window}`,
    ]);
    expect(await found("127.0.0.1:1")).toEqual([`monitor ${ids.monitor}`]);
    expect(await found("100%")).toEqual([`notification_channel ${ids.channel}`]);
    expect(await found("100_")).toEqual([]);
    await organization.admin.post(`/audit-logs/destinations/${ids.destination}/pause`);
    const { data } = await search("https", { api: organization.admin, id: organization.id });
    expect(data.results).toEqual([
      { type: "destination", id: ids.destination, name: "Tulip SIEM", detail: "https", status: "paused" },
    ]);
  });

  test("finds names in punycode as people write them, and the other way round, as the filters of lists do", async () => {
    const own = await newOrganization(server);
    const made = await own.admin.post<{ id: string }>("/certificates/endpoints", { host: "shop.bücher.invalid" });
    expect(made.data).toMatchObject({ host: "shop.xn--bcher-kva.invalid" });
    const target = "https://bücher.invalid/";
    const monitor = { name: "Books", type: "http", target, interval_seconds: 3600 };
    const watched = await own.admin.post<{ id: string }>("/uptime", monitor);
    const { pem } = await makeCertificate({ name: "books", sans: ["xn--bcher-kva.invalid"] });
    const added = await own.admin.post<{ id: string }>("/certificates", { pem });
    for (const q of ["BÜCHER", "xn--bcher-kva"]) {
      const { data } = await search(q, { api: own.admin, id: own.id });
      expect(
        data.results.map(({ id }) => id),
        q,
      ).toEqual([made.data.id, watched.data.id]);
    }
    for (const path of [
      "/certificates/endpoints?q=B%C3%BCcher.invalid",
      "/certificates/endpoints?q=b%C3%BCcher.invalid:443",
      "/certificates?name=b%C3%BCcher.invalid",
    ]) {
      const listed = await own.read.get<{ id: string }[]>(path);
      expect(
        listed.data.map(({ id }) => id),
        path,
      ).toEqual([path.includes("endpoints") ? made.data.id : added.data.id]);
    }
  });

  test("finds a request and a resource by id, and a certificate by fingerprint and serial number", async () => {
    const { requestId } = await organization.read.get("/nowhere");
    await whenDelivered(server, organization.id);
    expect(await found(requestId ?? "")).toEqual([`audit_log ${requestId}`]);
    expect(await found(ids.monitor)).toEqual([`monitor ${ids.monitor}`]);
    const colons = certificate.sha256.toUpperCase().match(/../g)?.join(":") ?? "";
    for (const q of [certificate.sha256, colons, certificate.serial_number]) {
      expect(await found(q), q).toEqual([`certificate ${certificate.id}`]);
    }
  });

  test("finds a key by the hint of its secret, also of one that was rotated out", async () => {
    const key = await organization.newKey({ name: "Rotating" });
    await organization.admin.post(`/api-keys/${key.id}/rotate`);
    expect(await found(key.hint)).toEqual([`api_key ${key.id}`]);
  });

  test("another organization finds nothing of it, and cannot search in it", async () => {
    const { requestId } = await organization.read.get("/nowhere");
    await whenDelivered(server, organization.id);
    const all = ["tulip", requestId, certificate.sha256, organization.adminKey.hint, ids.endpoint, ids.destination];
    for (const q of all) {
      expect((await search(q ?? "", { api: other.read, id: other.id })).data.results, q ?? "").toEqual([]);
    }
    const refused = await search("tulip", { api: other.admin, id: organization.id });
    expect([refused.status, refused.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("lists at most five of a type, best first, and says that there are more", async () => {
    for (const name of ["a-rose", "rose-garden", "rose", "rose-2", "rose-3", "rose-4"]) await other.newKey({ name });
    const { data } = await search("rose", { api: other.read, id: other.id });
    expect(data.has_more).toBe(true);
    expect(data.results.map(({ name }) => name)).toEqual(["rose", "rose-2", "rose-3", "rose-4", "rose-garden"]);
  });

  test.each(["", "x", " x ", "y".repeat(201), "a\u0000b"])("refuses %j", async (q) => {
    const { newKey, id } = organization;
    const refused = await search(q, { api: (await newKey()).api, id });
    expect([refused.status, refused.error.issues?.[0]?.path]).toEqual([400, "q"]);
  });
});

describe("whose secret it is", () => {
  const identify = (hash: string, { read }: Organization) =>
    read.get<IdentifiedSecret>(`/api-keys/identify?secret_sha256=${hash}`);

  test("is answered for current and rotated-out secrets, by their hash", async () => {
    const key = await organization.newKey({ name: "ci-deploy" });
    const current = await identify(sha256(key.secret), organization);
    expect(current.data.match).toMatchObject({
      api_key: { id: key.id, name: "ci-deploy", status: "active" },
      hint: key.hint,
      retired_at: null,
    });
    const rotated = await organization.admin.post<{ hint: string }>(`/api-keys/${key.id}/rotate`);
    const old = await identify(sha256(key.secret).toUpperCase(), organization);
    expect(old.data.match).toMatchObject({ api_key: { id: key.id, hint: rotated.data.hint }, hint: key.hint });
    expect(Date.parse(old.data.match?.retired_at ?? "")).toBeGreaterThan(0);
  });

  test("is not answered to another organization, and the log does not record the hash", async () => {
    const hash = sha256(organization.adminKey.secret);
    const foreign = await identify(hash, other);
    expect([foreign.status, foreign.data]).toEqual([200, { match: null }]);
    expect(foreign.json).toEqual((await identify(sha256("nothing"), other)).json);
    const event = await eventById(server, foreign.requestId);
    expect(event).toMatchObject({ action: "api_key.identify", query: "secret_sha256=[hidden]" });
    expect(JSON.stringify(event)).not.toContain(hash);
  });

  test("needs a hash: a secret is refused", async () => {
    for (const sent of ["", organization.adminKey.secret, "g".repeat(64)]) {
      const refused = await identify(sent, organization);
      expect([refused.status, refused.error.issues?.[0]?.path]).toEqual([400, "secret_sha256"]);
    }
  });
});
