import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Overview">
      <div className="h-[38px]" />
    </PageSkeleton>
  );
}
