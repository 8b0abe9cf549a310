import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Maintenance">
      <div className="h-[30px]" />
    </PageSkeleton>
  );
}
