import * as z from "zod";
import { endpoint, id, instant, name, pageQuery, time } from "@/lib/http/endpoint";
import { formatCount } from "@/lib/text/counts";

const repeat = z.enum(["none", "daily", "weekly"]);

export const maintenanceWindow = z
  .strictObject({
    id,
    name: z.string(),
    monitor_ids: z.array(id).describe("An empty list means all of the organization's monitors."),
    starts_at: time,
    ends_at: time,
    repeat,
    active: z.boolean(),
    created_at: time,
  })
  .meta({ id: "MaintenanceWindow" });
export type MaintenanceWindow = z.output<typeof maintenanceWindow>;

const windowFields = {
  name,
  monitor_ids: z.array(id).max(1000, "must have at most 1000 monitors").describe("An empty list means all monitors."),
  starts_at: instant,
  ends_at: instant,
  repeat: repeat.describe("Repeats every day or week (UTC) from `starts_at`."),
};

export const listMaintenanceWindows = endpoint({
  method: "GET",
  path: "/uptime/maintenance-windows",
  action: "maintenance_window.list",
  summary: "Maintenance windows, newest first.",
  query: z.strictObject(pageQuery),
  data: maintenanceWindow,
  list: true,
});

/** Each check of a monitor reads those that may cover it. */
export const MAX_AHEAD = 1_000;
/** With those that have ended. */
export const MAX_WINDOWS = 10_000;

export const createMaintenanceWindow = endpoint({
  method: "POST",
  path: "/uptime/maintenance-windows",
  action: "maintenance_window.create",
  summary: `Creates a maintenance window, during which failed checks open no incident and count as neither up nor down. An organization can have ${formatCount(MAX_AHEAD)} that have not ended, and ${formatCount(MAX_WINDOWS)} in all: 409 beyond that.`,
  body: z.strictObject({
    ...windowFields,
    monitor_ids: windowFields.monitor_ids.default([]),
    repeat: windowFields.repeat.default("none"),
  }),
  data: maintenanceWindow,
  status: 201,
  errors: ["CONFLICT"],
});

export const getMaintenanceWindow = endpoint({
  method: "GET",
  path: "/uptime/maintenance-windows/{id}",
  action: "maintenance_window.get",
  summary: "One maintenance window.",
  data: maintenanceWindow,
});

export const updateMaintenanceWindow = endpoint({
  method: "PUT",
  path: "/uptime/maintenance-windows/{id}",
  action: "maintenance_window.update",
  summary: "Changes the given fields; the others stay. Earlier checks are not recounted.",
  body: z.strictObject(windowFields).partial(),
  data: maintenanceWindow,
  errors: ["CONFLICT"],
});

export const deleteMaintenanceWindow = endpoint({
  method: "DELETE",
  path: "/uptime/maintenance-windows/{id}",
  action: "maintenance_window.delete",
  summary: "Deletes a maintenance window.",
  data: maintenanceWindow,
});
