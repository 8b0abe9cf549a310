import type { SentEvent } from "@/lib/destinations/batches/batch";

/** What an event does to its resource. */
export type Activity = "create" | "read" | "update" | "delete" | "other";

/** By the verb of the action, where the method says something else: keys are rotated by POST and revoked by DELETE. */
const byVerb = new Map<string, Activity>(
  Object.entries({
    accept: "create",
    acknowledge: "update",
    add: "create",
    bulk_update: "update",
    bulk_upsert: "update",
    create: "create",
    delete: "delete",
    disable: "update",
    pause: "update",
    replay: "update",
    resume: "update",
    enroll: "create",
    export: "read",
    export_finished: "read",
    hand_in: "create",
    import: "create",
    leave: "delete",
    purge: "delete",
    redact: "delete",
    relink: "update",
    remove: "delete",
    replace_credentials: "update",
    resolve: "update",
    restore: "update",
    revoke: "delete",
    review: "update",
    rotate: "update",
    rotate_secret: "update",
    rotate_url: "update",
    set: "update",
    set_anchors: "update",
    set_plan: "update",
    snooze: "update",
    update: "update",
    withdraw: "delete",
  }),
);
/** A map, because a request may name any method, also one that is a property of every object. */
const byMethod = new Map<string, Activity>(
  Object.entries({ GET: "read", HEAD: "read", PUT: "update", DELETE: "delete" }),
);

export function activityOf({ resource, request }: SentEvent): Activity {
  const verb = resource.action?.split(".")[1] ?? "";
  return byVerb.get(verb) ?? byMethod.get(request?.method ?? "") ?? "other";
}
