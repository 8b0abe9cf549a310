import * as z from "zod";
import { endpoint, id, name, pageQuery, shownOnce, time } from "@/lib/http/endpoint";

const shows = z
  .enum(["expirations", "renewals"])
  .describe("`expirations` shows when certificates expire, `renewals` when they should be renewed.");

export const calendar = z
  .strictObject({ id, name, tag: z.string().nullable(), owner: z.string().nullable(), shows, created_at: time })
  .meta({ id: "CertificateCalendar" });
export type Calendar = z.output<typeof calendar>;

export const listCalendars = endpoint({
  method: "GET",
  path: "/certificates/calendars",
  action: "certificate_calendar.list",
  summary: "The calendar URLs, newest first.",
  query: z.strictObject(pageQuery),
  data: calendar,
  list: true,
});

/** Maximum number of calendars of an organization. */
export const MAX_CALENDARS = 100;

export const createCalendar = endpoint({
  method: "POST",
  path: "/certificates/calendars",
  action: "certificate_calendar.create",
  errors: ["CONFLICT"],
  summary: `Creates a URL from which calendar applications read expirations or renewals (iCalendar). Anyone who has the URL can read them. An organization can have ${MAX_CALENDARS}: 409 beyond that.`,
  body: z.strictObject({
    name,
    tag: z
      .string()
      .trim()
      .toLowerCase()
      .min(1, "must not be empty")
      .max(50, "must have at most 50 characters")
      .nullable()
      .default(null)
      .describe("Only certificates of endpoints with this tag; null for all endpoints."),
    owner: name.nullable().default(null).describe("Only certificates that this owner renews; null for all."),
    shows: shows.default("expirations"),
  }),
  data: calendar.extend({ url: shownOnce(z.url().describe("The signed URL, shown only once.")) }).meta({
    id: "CertificateCalendarWithUrl",
  }),
  status: 201,
});

export const getCalendar = endpoint({
  method: "GET",
  path: "/certificates/calendars/{id}",
  action: "certificate_calendar.get",
  summary: "One calendar URL, without its signature.",
  data: calendar,
});

export const deleteCalendar = endpoint({
  method: "DELETE",
  path: "/certificates/calendars/{id}",
  action: "certificate_calendar.delete",
  summary: "Revokes a calendar URL. It then returns 404.",
  data: calendar,
});

export const readCalendarFeed = endpoint({
  method: "GET",
  path: "/certificates/calendars/{id}/feed",
  action: "certificate_calendar.feed",
  summary: "Expirations or renewals as iCalendar (RFC 5545). The signature in the URL is the credential.",
  query: z.strictObject({ signature: z.string().max(100) }),
  data: z.unknown(),
  public: true,
  credentials: ["signature"],
  raw: true,
  media: ["text/calendar"],
});
