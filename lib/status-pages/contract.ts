import * as z from "zod";
import { endpoint, id, name, pageQuery, time } from "@/lib/http/endpoint";
import { MAX_PAGES, MAX_SITES } from "@/lib/status-pages/limits";

/** Addresses that could be taken for Sealwatch's own. */
const RESERVED = new Set([
  ...["admin", "api", "badge", "dashboard", "edit", "help", "login", "new", "null", "preview", "sealwatch", "security"],
  ...["settings", "sign-in", "signin", "status", "status-pages", "support", "undefined", "www"],
]);

export const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,48}[a-z0-9])$/;
const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(SLUG, "must be 3 to 50 letters a to z, digits and hyphens, with no hyphen at its ends")
  .refine((text) => !RESERVED.has(text), "is reserved")
  .describe("The last segment of the page's address. Unique in this installation.");

const title = name.describe("The heading of the page, visible to everybody.");
const label = name.describe("The name of the site on the page, visible to everybody.");
const siteSlug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/, "must be 1 to 50 letters a to z, digits and hyphens")
  .describe("Names the site in the addresses of its badges. Unique within the page.");
const monitor_id = id.nullable().describe("The monitor whose state and uptime are shown; null for none.");
const endpoint_id = id
  .nullable()
  .describe("The certificate endpoint whose certificate is shown as valid, with its days left, or not; null for none.");

const siteInput = z
  .strictObject({
    slug: siteSlug.optional().describe("Names the site in the addresses of its badges. Default: made from the label."),
    label,
    monitor_id: monitor_id.default(null),
    endpoint_id: endpoint_id.default(null),
  })
  .refine((site) => (site.monitor_id ?? site.endpoint_id) !== null, {
    path: ["monitor_id"],
    message: "must be given, or endpoint_id",
  });

const sites = z
  .array(siteInput)
  .max(MAX_SITES, `must have at most ${MAX_SITES} sites`)
  .describe("In the page's order.");

export const statusPage = z
  .strictObject({
    id,
    slug: z.string(),
    address: z.url().describe("The page's address, which everybody can open while it is published."),
    title: z.string(),
    published: z.boolean(),
    sites: z.array(z.strictObject({ slug: z.string(), label: z.string(), monitor_id, endpoint_id })),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "StatusPage" });

export type StatusPage = z.output<typeof statusPage>;
export type StatusSite = StatusPage["sites"][number];
export type SiteInput = z.output<typeof siteInput>;

const ofOne = { ofOrganization: true } as const;

export const listStatusPages = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}/status-pages",
  action: "status_page.list",
  summary: "The organization's public status pages, newest first.",
  query: z.strictObject(pageQuery),
  data: statusPage,
  list: true,
});

export const createStatusPage = endpoint({
  ...ofOne,
  method: "POST",
  path: "/organizations/{id}/status-pages",
  action: "status_page.create",
  summary: `Creates a public status page, unpublished by default. An organization can have ${MAX_PAGES}. 409 beyond that, or if the slug is taken.`,
  body: z.strictObject({
    title,
    slug: slug.optional().describe("The last segment of the page's address. Default: 100 random bits."),
    published: z.boolean().default(false),
    sites: sites.default([]),
  }),
  data: statusPage,
  status: 201,
  errors: ["CONFLICT"],
});

export const getStatusPage = endpoint({
  ...ofOne,
  method: "GET",
  path: "/organizations/{id}/status-pages/{page_id}",
  action: "status_page.get",
  summary: "One status page.",
  data: statusPage,
});

export const updateStatusPage = endpoint({
  ...ofOne,
  method: "PUT",
  path: "/organizations/{id}/status-pages/{page_id}",
  action: "status_page.update",
  summary: "Changes the given fields; `sites` is replaced as a whole. `published` publishes and unpublishes.",
  body: z.strictObject({ title, slug, published: z.boolean(), sites }).partial(),
  data: statusPage,
  errors: ["CONFLICT"],
});

export const deleteStatusPage = endpoint({
  ...ofOne,
  method: "DELETE",
  path: "/organizations/{id}/status-pages/{page_id}",
  action: "status_page.delete",
  summary: "Deletes a status page. Its address then returns 404 and can be taken by others.",
  data: statusPage,
});
