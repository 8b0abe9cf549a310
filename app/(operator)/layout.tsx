import type { ReactNode } from "react";
import { DashboardShell } from "@/components/layout/dashboard-shell";
import { requireOperator } from "@/lib/auth/require-operator";

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  return <DashboardShell session={await requireOperator()}>{children}</DashboardShell>;
}
