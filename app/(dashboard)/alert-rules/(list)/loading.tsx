import { PageSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return <PageSkeleton title="Alert rules" rows={6} />;
}
