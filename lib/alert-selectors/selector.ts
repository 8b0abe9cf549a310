/** Which resources a rule applies to: those with any of the tags or ids; if both are empty, all. */
export interface Selector {
  tags: readonly string[];
  ids: readonly string[];
}

/** The types of rule conditions about each type of resource. */
export const conditionsAbout = {
  endpoint: ["finding", "time_left"],
  monitor: ["monitor_down", "latency"],
} as const;

/**
 * A selector of a rule with this type of condition, as it is compared: ids and tags of endpoints are stored in lower case, tags of
 * monitors as they were given.
 */
export function normalized({ tags, ids }: Selector, conditionType: string): { tags: string[]; ids: string[] } {
  const isOfEndpoints = (conditionsAbout.endpoint as readonly string[]).includes(conditionType);
  return {
    tags: isOfEndpoints ? tags.map((tag) => tag.trim().toLowerCase()) : [...tags],
    ids: ids.map((id) => id.toLowerCase()),
  };
}

/** Whether a selector selects all resources. */
export const selectsAll = ({ tags, ids }: Selector): boolean => tags.length === 0 && ids.length === 0;

/** Whether a selector selects a resource with these ids (its own, and those of what it contains) and tags. */
export function isSelected(selector: Selector, itsIds: readonly string[], itsTags: readonly string[]): boolean {
  if (selectsAll(selector)) return true;
  const { tags, ids } = selector;
  return itsIds.some((id) => ids.includes(id)) || itsTags.some((tag) => tags.includes(tag));
}

/** A selector of everything that any of the selectors selects; null if there are none. */
export function unionOf(selectors: readonly Selector[]): Selector | null {
  if (selectors.length === 0) return null;
  if (selectors.some(selectsAll)) return { tags: [], ids: [] };
  return {
    tags: [...new Set(selectors.flatMap(({ tags }) => tags))],
    ids: [...new Set(selectors.flatMap(({ ids }) => ids))],
  };
}
