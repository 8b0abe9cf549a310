import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { RowsSkeleton } from "@/components/states/section";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <AnalyticsFrame>
      <div aria-hidden="true" className="flex h-[68px] gap-8 px-4 sm:px-5">
        {["w-20", "w-16", "w-24", "w-14"].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </div>
      <RowsSkeleton what="analytics" rows={12} />
    </AnalyticsFrame>
  );
}
