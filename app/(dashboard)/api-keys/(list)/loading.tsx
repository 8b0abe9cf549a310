import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return (
    <PageSkeleton title="API keys" rows={6}>
      <div className="h-10" />
    </PageSkeleton>
  );
}
