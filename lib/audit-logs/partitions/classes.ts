import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";

/**
 * All retention classes in which events may be stored, in days. Statements about single events look in each, because a change of plan
 * may move events between two statements. A number is added one release before a plan gets it, so that workers of the release before find
 * and seal such events, and is never removed: events stay in a class while it is kept.
 */
export const CLASSES: readonly number[] = [HELD_CLASS, 30, 180, 365, 2555];
