import { type ReactNode, Suspense } from "react";
import { SectionBoundary } from "@/components/states/section-boundary";
import { Skeleton } from "@/components/ui/skeleton";

/**
 * A part of a page that is sent when it has been read, and whose failure is its own. `what` begins "… could not be read"; `of`
 * tells what it shows: when that changes, it is tried again, and what was shown stays until then.
 */
export function Section({
  what,
  of = "",
  fallback,
  children,
}: {
  what: string;
  of?: string;
  fallback: ReactNode;
  children: ReactNode;
}) {
  return (
    <SectionBoundary what={what} of={of}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </SectionBoundary>
  );
}

/**
 * Parts that are sent as they are read, each below those that are shown already: nothing moves when one that holds more or less
 * than was expected arrives. A part's failure is its own.
 */
export function Sections({ parts }: { parts: readonly { what: string; part: ReactNode }[] }) {
  const [first, ...others] = parts;
  if (first === undefined) return null;
  return (
    <Suspense fallback={<RowsSkeleton what={first.what} rows={others.length > 0 ? 8 : 3} />}>
      <SectionBoundary what={first.what}>{first.part}</SectionBoundary>
      <Sections parts={others} />
    </Suspense>
  );
}

/** Holds the place of a list with this many rows. */
export function RowsSkeleton({ what, rows }: { what: string; rows: number }) {
  return (
    <div aria-busy="true" className="border-t">
      <p role="status" className="sr-only">
        Loading: {what}
      </p>
      {Array.from({ length: rows }, (_, at) => at).map((at) => (
        <div
          key={at}
          aria-hidden="true"
          className="flex h-7 items-center gap-6 border-b px-4 sm:px-5 pointer-coarse:h-10"
        >
          <Skeleton className={at % 3 === 0 ? "w-40" : at % 3 === 1 ? "w-56" : "w-28"} />
          <Skeleton className="ml-auto w-12" />
        </div>
      ))}
    </div>
  );
}
