import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return <PageSkeleton title="Status pages" rows={3} />;
}
