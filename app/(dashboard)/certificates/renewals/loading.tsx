import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Certificates">
      <div className="h-[110px]" />
    </PageSkeleton>
  );
}
