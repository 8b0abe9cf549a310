import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return <PageSkeleton title="Destinations" rows={6} />;
}
