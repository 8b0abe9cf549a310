import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Alerts">
      <div className="h-[74px] pointer-coarse:h-[82px]" />
    </PageSkeleton>
  );
}
