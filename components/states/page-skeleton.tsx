import type { ReactNode } from "react";
import { Late, LoadingFrame } from "@/components/states/late";
import { Skeleton } from "@/components/ui/skeleton";

/** The placeholder of a list page while it loads: heading, the content above the list, and rows of the list's height. */
export function PageSkeleton({
  title,
  rows = 16,
  children,
}: {
  title: string;
  rows?: number;
  /** The content between heading and list. */
  children?: ReactNode;
}) {
  return (
    <LoadingFrame what={title}>
      <div className="flex h-14 items-center px-4 pointer-coarse:h-16 sm:px-5" aria-hidden="true">
        <span className="font-semibold text-xl tracking-tight">{title}</span>
      </div>
      {children}
      <div className="border-t" aria-hidden="true">
        {Array.from({ length: rows }, (_, at) => at).map((at) => (
          <div key={at} className="flex h-7 items-center gap-6 border-b px-4 sm:px-5 pointer-coarse:h-10">
            <Skeleton className="w-24" />
            <Skeleton className={at % 3 === 0 ? "w-48" : at % 3 === 1 ? "w-36" : "w-56"} />
            <Skeleton className="ml-auto w-12" />
          </div>
        ))}
      </div>
    </LoadingFrame>
  );
}

/** The placeholder of the content above a list of events. */
export function EventsTopSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="px-4 pb-3 sm:px-5">
        <div className="h-8 rounded-sm border bg-panel" />
      </div>
      <FiguresSkeleton />
    </div>
  );
}

/** The placeholder of the histogram and the figures above a list of events. */
export function FiguresSkeleton() {
  return (
    <Late>
      <div aria-hidden="true">
        <div className="h-[115px] max-sm:h-[117px]" />
        <div className="flex h-[32px] gap-5 px-4 max-sm:h-[98px] sm:px-5">
          <Skeleton className="mt-1 w-20" />
          <Skeleton className="mt-1 w-32" />
          <Skeleton className="mt-1 w-28" />
        </div>
      </div>
    </Late>
  );
}

/** The placeholder of a detail page. */
export function DetailSkeleton({ of }: { of: string }) {
  return (
    <LoadingFrame what={of} className="px-4 pt-4 sm:px-5">
      <Skeleton className="mt-1 w-24" />
      <Skeleton className="mt-3 h-4 w-72" />
      <div className="mt-8 grid gap-x-10 gap-y-3 lg:grid-cols-2">
        {[0, 1].map((column) => (
          <div key={column} className="grid content-start gap-3">
            {[40, 56, 48, 64, 36, 52, 44, 60].map((width) => (
              <div key={width} className="flex gap-8">
                <Skeleton className="w-20" />
                <span style={{ width: `${width}%` }}>
                  <Skeleton />
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </LoadingFrame>
  );
}
