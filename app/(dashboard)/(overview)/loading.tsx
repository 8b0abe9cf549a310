import { RowsSkeleton } from "@/components/states/section";
import { PageHeader } from "@/components/ui/page-header";

export default function Loading() {
  return (
    <>
      <PageHeader title="Overview" />
      <div className="pt-9">
        <RowsSkeleton what="Overview" rows={8} />
      </div>
    </>
  );
}
