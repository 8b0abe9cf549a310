import type { SentEvent } from "@/lib/destinations/batches/batch";
import { type Activity, activityOf } from "@/lib/destinations/formats/activity";
import { type Changed, changedBy } from "@/lib/destinations/formats/facts";

/** An OCSF class with its category, as its documents name them. */
interface OcsfClass {
  category_uid: number;
  category_name: string;
  class_uid: number;
  class_name: string;
}

const iam = { category_uid: 3, category_name: "Identity & Access Management" };

/** The classes that events are written as. */
export const ocsfClasses = {
  apiActivity: { category_uid: 6, category_name: "Application Activity", class_uid: 6003, class_name: "API Activity" },
  authentication: { ...iam, class_uid: 3002, class_name: "Authentication" },
  accountChange: { ...iam, class_uid: 3001, class_name: "Account Change" },
  userAccess: { ...iam, class_uid: 3005, class_name: "User Access Management" },
  /** For entries that are not sent. */
  base: { category_uid: 0, category_name: "Uncategorized", class_uid: 0, class_name: "Base Event" },
} as const satisfies Record<string, OcsfClass>;

/** An activity of a class: `OTHER` if the class has none that fits. */
interface OcsfActivity {
  activity_id: number;
  activity_name: string;
}
export const OTHER = 99;

const apiActivities: Readonly<Record<Activity, OcsfActivity>> = {
  create: { activity_id: 1, activity_name: "Create" },
  read: { activity_id: 2, activity_name: "Read" },
  update: { activity_id: 3, activity_name: "Update" },
  delete: { activity_id: 4, activity_name: "Delete" },
  other: { activity_id: OTHER, activity_name: "Other" },
};

/** What happens to a key. A rotation replaces its secret, which OCSF has no activity for. */
const keyActivities: Readonly<Record<string, OcsfActivity>> = {
  key_created: { activity_id: 1, activity_name: "Create" },
  key_revoked: { activity_id: 6, activity_name: "Delete" },
  key_rotated: { activity_id: OTHER, activity_name: "Rotate Secret" },
  key_updated: { activity_id: OTHER, activity_name: "Update" },
};

/** What happens to a member's permission. */
const memberActivities: Readonly<Record<string, OcsfActivity>> = {
  member_added: { activity_id: 1, activity_name: "Assign Privileges" },
  member_changed: { activity_id: 1, activity_name: "Assign Privileges" },
  member_removed: { activity_id: 2, activity_name: "Revoke Privileges" },
};

/** How an event is classified. `changed`: the key or person of an IAM event. */
export type Classified = { of: OcsfClass; activity: OcsfActivity } & (
  | { kind: "api" | "authentication" }
  | { kind: "account" | "access"; changed: Changed }
);

/** Classifies an event. Attempts to change keys and people that were refused are API activities: they changed nobody. */
export function classify(event: SentEvent): Classified {
  const { authentication, accountChange, userAccess, apiActivity } = ocsfClasses;
  const { action } = event.resource;
  if (action === "session.sign_in" || action === "session.sign_out") {
    const isLogon = action === "session.sign_in";
    const activity = isLogon ? { activity_id: 1, activity_name: "Logon" } : { activity_id: 2, activity_name: "Logoff" };
    return { kind: "authentication", of: authentication, activity };
  }
  const changed = changedBy(event);
  if (changed !== null) {
    const activities = changed.kind === "api_key" ? keyActivities : memberActivities;
    const activity = event.security.flags.map((flag) => activities[flag]).find((known) => known !== undefined);
    const isKey = changed.kind === "api_key";
    if (activity)
      return { kind: isKey ? "account" : "access", of: isKey ? accountChange : userAccess, activity, changed };
  }
  return { kind: "api", of: apiActivity, activity: apiActivities[activityOf(event)] };
}
