import { LoadingFrame } from "@/components/states/late";
import { Skeleton } from "@/components/ui/skeleton";

const ROWS = [0, 1, 2, 3, 4, 5];

/** A placeholder for totals, chart and tables. */
export function StatisticsSkeleton() {
  return (
    <LoadingFrame what="statistics">
      <div aria-hidden="true">
        <div className="flex h-[65px] flex-wrap gap-8 overflow-hidden px-4 pt-1 sm:px-5">
          {ROWS.map((at) => (
            <div key={at} className="grid content-start gap-2 pt-1.5">
              <Skeleton className="w-20" />
              <Skeleton className="w-14" />
            </div>
          ))}
        </div>
        <div className="mx-4 mt-2.5 h-[133px] border-b sm:mx-5" />
        <div className="grid gap-x-10 gap-y-8 px-4 pt-16 sm:px-5 md:grid-cols-2 xl:grid-cols-3">
          {ROWS.map((table) => (
            <div key={table}>
              <Skeleton className="mb-3 w-24" />
              {ROWS.map((row) => (
                <div key={row} className="flex h-7 items-center border-b">
                  <Skeleton className={row % 2 === 0 ? "w-32" : "w-44"} />
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </LoadingFrame>
  );
}
