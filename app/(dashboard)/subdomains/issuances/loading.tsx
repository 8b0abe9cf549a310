import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Subdomains">
      <div className="h-[92px]" />
    </PageSkeleton>
  );
}
