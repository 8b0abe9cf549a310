import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Members" rows={5}>
      <div className="h-6" />
    </PageSkeleton>
  );
}
