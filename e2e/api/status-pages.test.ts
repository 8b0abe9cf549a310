import { beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "@/e2e/support/api";
import { send } from "@/e2e/support/http";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { newId } from "@/lib/ids";
import type { StatusPage } from "@/lib/status-pages/contract";

const server = sharedServer();
let organization: Organization;
let other: Organization;
/** A monitor that is down, and an endpoint that nobody reports. */
let monitor: { id: string; name: string; target: string };
let endpoint: { id: string; host: string };

beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
  const target = `127.0.0.1:${await closedPort()}`;
  const body = { name: `Monitor ${newId()}`, type: "tcp", target, failure_threshold: 1, interval_seconds: 3600 };
  monitor = (await organization.admin.post<typeof monitor>("/uptime", body)).data;
  const host = `${newId()}.internal`;
  endpoint = (await organization.admin.post<typeof endpoint>("/certificates/endpoints", { host, reported: true })).data;
});

const pagesOf = ({ id }: Organization) => `/organizations/${id}/status-pages`;
const create = (input: object, of = organization) =>
  of.admin.post<StatusPage>(pagesOf(of), { title: "Acme status", ...input });
const update = ({ id }: { id: string }, input: object) =>
  organization.admin.put<StatusPage>(`${pagesOf(organization)}/${id}`, input);
const visit = (path: string, headers: Record<string, string> = {}) =>
  send(server.url, {
    method: "GET",
    target: `/status/${path}`,
    headers: { "x-forwarded-for": newAddress(), ...headers },
  });

describe("managing status pages", () => {
  test("a page is created unpublished with an unguessable slug, and its changes are recorded", async () => {
    const sites = [{ label: "Shop", monitor_id: monitor.id }];
    const made = await create({ sites });
    expect(made.status, made.text).toBe(201);
    expect(made.header("location")).toBe(`/api/v1${pagesOf(organization)}/${made.data.id}`);
    expect(made.data).toMatchObject({
      title: "Acme status",
      published: false,
      sites: [{ slug: "shop", label: "Shop", monitor_id: monitor.id, endpoint_id: null }],
    });
    expect(made.data.slug).toMatch(/^[a-z2-9]{20}$/);
    expect(new URL(made.data.address).pathname).toBe(`/status/${made.data.slug}`);
    const changed = await update(made.data, { published: true, sites: [{ ...made.data.sites[0], label: "The shop" }] });
    expect((await eventById(server, changed.requestId)).details).toEqual({
      resource_name: "Acme status",
      changes: [
        { field: "published", from: false, to: true },
        { field: "sites.0.label", from: "Shop", to: "The shop" },
      ],
    });
    const list = await organization.read.get<StatusPage[]>(pagesOf(organization));
    expect(list.data[0]).toEqual(changed.data);
    const deleted = await organization.admin.delete<StatusPage>(`${pagesOf(organization)}/${made.data.id}`);
    expect(deleted.data).toEqual(changed.data);
    expect((await visit(made.data.slug)).status).toBe(404);
  });

  test("sites that cannot be shown are refused, with an issue for the field", async () => {
    const strange = (
      await other.admin.post<{ id: string }>("/uptime", { name: newId(), type: "tcp", target: "127.0.0.1:1" })
    ).data.id;
    const issuesOf = async (input: object) => (await create(input)).error.issues;
    const site = { label: "Shop", monitor_id: monitor.id };
    expect(await issuesOf({ sites: [site, { label: "No endpoint", endpoint_id: monitor.id }] })).toEqual([
      { path: "sites.1.endpoint_id", message: "is not an endpoint of this organization" },
    ]);
    expect(await issuesOf({ sites: [site, { label: "Theirs", monitor_id: strange }] })).toEqual([
      { path: "sites.1.monitor_id", message: "is not a monitor of this organization" },
    ]);
    expect(await issuesOf({ sites: [{ label: "Theirs", endpoint_id: monitor.id }] })).toEqual([
      { path: "sites.0.endpoint_id", message: "is not an endpoint of this organization" },
    ]);
    expect(await issuesOf({ sites: [{ label: "Nothing" }] })).toEqual([
      { path: "sites.0.monitor_id", message: "must be given, or endpoint_id" },
    ]);
    expect(
      await issuesOf({
        sites: [
          { ...site, slug: "a" },
          { ...site, slug: "a" },
        ],
      }),
    ).toEqual([{ path: "sites.1.slug", message: "is the slug of another site" }]);
    expect(await issuesOf({ slug: "admin" })).toEqual([{ path: "slug", message: "is reserved" }]);
    const many = Array.from({ length: 51 }, () => site);
    expect(await issuesOf({ sites: many })).toEqual([{ path: "sites", message: "must have at most 50 sites" }]);
  });

  test("a slug belongs to one page, and another organization reaches no page", async () => {
    const slug = `s-${newId()}`;
    const { data: page } = await create({ slug });
    expect((await create({ slug: slug.toUpperCase() }, other)).error.code).toBe("CONFLICT");
    const { data: theirs } = await create({}, other);
    expect((await update(theirs, { title: "Mine" })).status).toBe(404);
    expect((await other.admin.get(`${pagesOf(organization)}/${page.id}`)).status).toBe(404);
    expect((await other.admin.get(`${pagesOf(other)}/${page.id}`)).status).toBe(404);
    expect((await update(page, { slug: theirs.slug })).error.code).toBe("CONFLICT");
  });

  test("an organization has a limited number of pages", async () => {
    const full = await newOrganization(server);
    await query(
      server,
      "app",
      `INSERT INTO status_pages SELECT $1, gen_random_uuid(), gen_random_uuid()::text, 'x', false, '[]', now(), now()
       FROM generate_series(1, 50)`,
      [full.id],
    );
    expect((await create({}, full)).error.message).toBe("An organization can have at most 50 status pages.");
  });
});

describe("the public page", () => {
  test("says since when an endpoint is down while its monitor is paused", async () => {
    const body = { name: newId(), type: "tcp", target: "127.0.0.1:9", interval_seconds: 3600, paused: true };
    const paused = (await organization.admin.post<{ id: string }>("/uptime", body)).data;
    const away = { host: "127.0.0.1", port: await closedPort() };
    const found = (await organization.admin.post<{ id: string }>("/certificates/endpoints", away)).data;
    const sites = [{ label: "Mail", monitor_id: paused.id, endpoint_id: found.id }];
    const { data: page } = await create({ slug: `p-${newId()}`, published: true, sites });
    expect((await visit(page.slug)).text).toContain("Mail</bdi></strong> has been down since <time");
  });

  test("shows what was chosen and nothing else, without cookies, scripts and audit events", async () => {
    const sites = [
      { label: "Shop & more", monitor_id: monitor.id },
      { label: "Mail", endpoint_id: endpoint.id },
    ];
    const { data: page } = await create({ slug: `p-${newId()}`, published: true, sites });
    const seen = await visit(page.slug);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain("1 of 2 sites is down.");
    expect(seen.text).toContain("Shop &#38; more</bdi></strong> has been down since <time");
    const [name] = await query(server, "app", "SELECT name FROM organizations WHERE id = $1", [organization.id]);
    const hidden = [page.id, organization.id, organization.slug, monitor.id, monitor.name, monitor.target, endpoint.id];
    for (const text of [...hidden, endpoint.host, String(name?.name), "127.0.0.1"]) {
      expect(seen.text).not.toContain(text);
    }
    expect(seen.text).not.toContain("<script");
    expect(seen.headers["set-cookie"]).toBeUndefined();
    expect(seen.header("cache-control")).toBe("public, max-age=30, stale-while-revalidate=60");
    expect(seen.header("x-robots-tag")).toBe("noindex");
    expect(seen.header("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/,
    );
    const events = "SELECT FROM audit_events WHERE path LIKE '/status/%'";
    expect(await query(server, "audit", events)).toEqual([]);
    const again = await visit(page.slug, { "if-none-match": seen.header("etag") });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test("is the same 404 whether it is unpublished, never was, or cannot be", async () => {
    const { data: page } = await create({ published: true });
    expect((await visit(page.slug)).status).toBe(200);
    await update(page, { published: false });
    const answers = await Promise.all(
      [page.slug, "never-was-a-page", "NO_SLUG", "a".repeat(300)].map((at) => visit(at)),
    );
    const shown = answers.map(({ status, text, headers: { date, connection, ...headers } }) => ({
      status,
      text,
      headers,
    }));
    expect(shown[0]).toMatchObject({ status: 404, headers: { "cache-control": "no-store" } });
    for (const each of shown) expect(each).toEqual(shown[0]);
    await update(page, { published: true, title: "Back again" });
    expect((await visit(page.slug)).text).toContain("Back again");
  });

  test("has badges for other sites to show, of the page and of each site", async () => {
    const { data: page } = await create({ published: true, sites: [{ label: "Shop", monitor_id: monitor.id }] });
    const shown = await visit(`${page.slug}/shop/badge.svg`);
    expect(shown.text).toContain("<title>Shop: down</title>");
    expect(shown.header("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(shown.header("cross-origin-resource-policy")).toBe("cross-origin");
    expect(shown.header("content-security-policy")).toMatch(/^default-src 'none'; base-uri 'none'/);
    expect(shown.headers["set-cookie"]).toBeUndefined();
    expect((await visit(`${page.slug}/badge.svg?show=uptime`)).text).toContain(
      "<title>Acme status uptime: 0.00%</title>",
    );
    expect((await visit(`${page.slug}/shop/badge.svg?show=certificate`)).text).toContain("certificate: none</title>");
    const known = { "if-none-match": shown.header("etag") };
    expect((await visit(`${page.slug}/shop/badge.svg`, known)).status).toBe(304);
    const absent = await Promise.all(
      ["shop/badge.svg?show=teapot", "other/badge.svg"].map((path) => visit(`${page.slug}/${path}`)),
    );
    await update(page, { published: false });
    absent.push(await visit(`${page.slug}/shop/badge.svg`), await visit("never-was-a-page/badge.svg"));
    expect(absent.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test("leaves a deleted monitor out", async () => {
    const { data: gone } = await organization.admin.post<{ id: string }>("/uptime", {
      name: newId(),
      type: "tcp",
      target: "127.0.0.1:1",
      paused: true,
    });
    const { data: page } = await create({ published: true, sites: [{ label: "Old", monitor_id: gone.id }] });
    await organization.admin.delete(`/uptime/${gone.id}`);
    expect((await visit(page.slug)).text).toContain("No sites are shown here yet.");
    // As it is read, the page can be sent again.
    expect(await update(page, { sites: page.sites })).toMatchObject({ status: 200, data: { sites: page.sites } });
    expect((await update(page, { sites: [{ label: "Never", monitor_id: newId() }] })).status).toBe(400);
  });

  test("limits visitors by address", async () => {
    const from = { "x-forwarded-for": newAddress() };
    const answers = await Promise.all(Array.from({ length: 121 }, () => visit("never-was-a-page", from)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]?.header("retry-after"))).toBeGreaterThan(0);
    expect((await visit("never-was-a-page")).status).toBe(404);
  });
});
