import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="Subdomains" rows={8}>
      <div className="h-8" />
    </PageSkeleton>
  );
}
