import { formatCount } from "@/lib/text/counts";

/** What a form says below choices of which there are more. */
export const newestListed = (what: string) => `Only the newest ${what} are listed here; the API accepts any.`;

/** Says that a list is cut off after `count` items; empty if `next`, the cursor of the following page, is null. */
export function NewestOnly({ count, next }: { count: number; next: string | null }) {
  if (next === null) return null;
  return (
    <p className="px-4 pt-2 text-second sm:px-5">
      Only the newest {formatCount(count)} are shown. Use the API to list all.
    </p>
  );
}
