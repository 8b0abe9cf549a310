import { IntegrityHeader } from "@/components/integrity/integrity-header";
import { RowsSkeleton } from "@/components/states/section";

export default function Loading() {
  return (
    <>
      <IntegrityHeader />
      <RowsSkeleton what="sealed log" rows={12} />
    </>
  );
}
