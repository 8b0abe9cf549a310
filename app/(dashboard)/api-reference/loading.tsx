import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="API reference" rows={20}>
      <div className="h-36" />
    </PageSkeleton>
  );
}
