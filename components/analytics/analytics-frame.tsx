import type { ReactNode } from "react";
import { SubNav } from "@/components/layout/sub-nav";
import { PageHeader } from "@/components/ui/page-header";

const pages = [
  { href: "/analytics", label: "Overview" },
  { href: "/analytics/expiry", label: "Expiries" },
  { href: "/analytics/lifetimes", label: "Lifetimes" },
  { href: "/analytics/renewals", label: "Renewals" },
  { href: "/analytics/issuers", label: "Issuers" },
  { href: "/analytics/keys", label: "Keys" },
  { href: "/analytics/uptime", label: "Uptime" },
  { href: "/analytics/response-times", label: "Response times" },
] as const;

/** The frame of every analytics page: the title, its actions and the links between the pages. */
export function AnalyticsFrame({
  here,
  actions,
  children,
}: {
  /** The current page; undefined while loading. */
  here?: (typeof pages)[number]["href"];
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <PageHeader title="Analytics" actions={actions} />
      <div className="pb-4">
        <SubNav label="Analytics" pages={pages} here={here ?? ""} />
      </div>
      {children}
    </>
  );
}
