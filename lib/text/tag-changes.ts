/** The tags after a change, sorted. */
export function withTags(before: readonly string[], add: readonly string[], remove: readonly string[]): string[] {
  const kept = before.filter((tag) => !remove.includes(tag));
  return [...new Set([...kept, ...add])].sort();
}
