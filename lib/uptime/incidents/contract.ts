import * as z from "zod";
import { endpoint, id, pageQuery, time } from "@/lib/http/endpoint";
import { failureReason } from "@/lib/uptime/checks-contract";
import { evidence } from "@/lib/uptime/evidence";

export const incident = z
  .strictObject({
    id,
    monitor: z.strictObject({ id, name: z.string() }),
    started_at: time.describe("When the first failed check started."),
    ended_at: time.nullable(),
    duration_seconds: z.int().describe("Until now while it is ongoing."),
    reason: failureReason,
    detail: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: "Incident" });
export type Incident = z.output<typeof incident>;

const incidentDetail = incident
  .extend({
    evidence: evidence
      .nullable()
      .describe(
        "The response of the check that opened the incident; null if there was none. Kept for the latest 10 incidents of a monitor.",
      ),
  })
  .meta({ id: "IncidentDetail" });
export type IncidentDetail = z.output<typeof incidentDetail>;

export const listIncidents = endpoint({
  method: "GET",
  path: "/uptime/incidents",
  action: "incident.list",
  summary: "Incidents, newest first.",
  query: z.strictObject({
    ...pageQuery,
    monitor_id: id.optional(),
    open: z.enum(["true", "false"]).optional().describe("Only ongoing, or only ended incidents."),
  }),
  data: incident,
  list: true,
});

export const getIncident = endpoint({
  method: "GET",
  path: "/uptime/incidents/{id}",
  action: "incident.get",
  summary: "One incident, with the response that opened it.",
  data: incidentDetail,
});

export const updateIncident = endpoint({
  method: "PUT",
  path: "/uptime/incidents/{id}",
  action: "incident.update",
  summary: "Changes the note of an incident.",
  body: z.strictObject({ note: z.string().trim().max(5000, "must have at most 5000 characters").nullable() }),
  data: incidentDetail,
});
