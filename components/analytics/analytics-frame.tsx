import type { ReactNode } from "react";
import { analyticsPages } from "@/components/layout/navigation";
import { SubNav } from "@/components/layout/sub-nav";
import { PageHeader } from "@/components/ui/page-header";

/** The frame of every analytics page: the title, its actions and the links between the pages. */
export function AnalyticsFrame({
  here,
  actions,
  children,
}: {
  /** The current page; undefined while loading. */
  here?: (typeof analyticsPages)[number]["href"];
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <PageHeader title="Analytics" actions={actions} />
      <div className="pb-4">
        <SubNav label="Analytics" pages={analyticsPages} here={here ?? ""} />
      </div>
      {children}
    </>
  );
}
