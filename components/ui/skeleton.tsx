import { cx } from "@/components/ui/cx";

/** A placeholder for text; give it the width of that text. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx("block h-3 animate-pulse rounded-xs bg-line", className)} />;
}
