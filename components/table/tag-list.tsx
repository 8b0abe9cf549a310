/** The tags of a row in one line; the title has those that do not fit. */
export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return <span title={tags.join(", ")}>{tags.join(", ")}</span>;
}
