import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Incidents">
      <div className="h-[30px]" />
    </PageSkeleton>
  );
}
