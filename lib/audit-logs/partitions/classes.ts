import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { plans } from "@/lib/plans";

/** All retention classes, because a change of plan may move events between two statements about the organization. */
export const CLASSES = [
  HELD_CLASS,
  ...new Set(Object.values(plans).map(({ auditRetentionDays }) => auditRetentionDays)),
];
