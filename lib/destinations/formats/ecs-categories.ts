import { refusals } from "@/lib/audit-logs/flags";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { type Activity, activityOf } from "@/lib/destinations/formats/activity";
import { changedBy } from "@/lib/destinations/formats/facts";

/** `event.category` and `event.type`, of the values that ECS allows; each type is one that ECS expects for the category. */
interface EcsCategories {
  category: string[];
  type: string[];
}

const types: Readonly<Record<Activity, string>> = {
  create: "creation",
  read: "access",
  update: "change",
  delete: "deletion",
  other: "info",
};

/** Sign-ins are authentication, changes of keys and people are IAM, other requests are API calls, and what jobs do is configuration. */
export function ecsCategories(event: SentEvent): EcsCategories {
  const { action } = event.resource;
  if (action === "session.sign_in") return { category: ["authentication", "session"], type: ["start"] };
  if (action === "session.sign_out") return { category: ["authentication", "session"], type: ["end"] };
  const type = types[activityOf(event)];
  if (changedBy(event) !== null) return { category: ["iam"], type: ["user", type === "access" ? "info" : type] };
  if (event.request === null) return { category: ["configuration"], type: [type] };
  const isRefused = event.security.flags.some((flag) => refusals.includes(flag));
  return { category: ["api"], type: isRefused ? [type, "denied"] : [type] };
}
