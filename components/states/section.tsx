import { type ReactNode, Suspense } from "react";
import { LoadingFrame } from "@/components/states/late";
import { SectionBoundary } from "@/components/states/section-boundary";
import { Skeleton } from "@/components/ui/skeleton";

/**
 * A part of a page that is streamed once it has loaded, with a failure of its own. `what` is the subject of "… could not be
 * loaded". `of` identifies the content: a change of it retries after a failure.
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
 * Parts that are streamed as they load, each below those already shown, so that nothing moves when a part is larger or smaller
 * than its placeholder. Each part has a failure of its own.
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

/** The placeholder of a list with this many rows. */
export function RowsSkeleton({ what, rows }: { what: string; rows: number }) {
  return (
    <LoadingFrame what={what} className="border-t">
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
    </LoadingFrame>
  );
}
