import { EventsTopSkeleton, PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Audit log" rows={24}>
      <EventsTopSkeleton />
    </PageSkeleton>
  );
}
