import { DetailSkeleton } from "@/components/states/page-skeleton";

export default function Loading() {
  return <DetailSkeleton of="The form" />;
}
