import { formatCount } from "@/lib/text/counts";
/** Says that a list is cut off after `count` items; empty if `next`, the cursor of the following page, is null. */
export function NewestOnly({ count, next }: { count: number; next: string | null }) {
  if (next === null) return null;
  return (
    <p className="px-4 pt-2 text-second sm:px-5">
      Only the newest {formatCount(count)} are shown. Use the API to list all.
    </p>
  );
}
