/** Says of a list that is not shown whole what of it is; nothing where `next`, the cursor of what follows, is null. */
export function NewestOnly({ count, next }: { count: number; next: string | null }) {
  if (next === null) return null;
  return (
    <p className="px-4 pt-2 text-second sm:px-5">
      Only the newest {count.toLocaleString("en-GB")} are shown. The API lists all of them.
    </p>
  );
}
