import { RowsSkeleton } from "@/components/states/section";
import { RangeLinks } from "@/components/statistics/range-links";
import { PageHeader } from "@/components/ui/page-header";

export default function Loading() {
  return (
    <>
      <PageHeader title="Security events" actions={<RangeLinks path="/security-events" chosen={null} />}>
        Refused requests, first uses and changes, grouped by type and source.
      </PageHeader>
      <RowsSkeleton what="security events" rows={16} />
    </>
  );
}
