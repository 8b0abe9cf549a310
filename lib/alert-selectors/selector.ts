/** Which resources a rule applies to: those with any of the tags or ids; if both are empty, all. */
export interface Selector {
  tags: readonly string[];
  ids: readonly string[];
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
