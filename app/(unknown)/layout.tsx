import type { ReactNode } from "react";
import { DashboardShell } from "@/components/layout/dashboard-shell";
import { currentSession } from "@/lib/auth/session";

/** Keeps the navigation for people who are signed in. Nobody else is asked to sign in for an address that does not exist. */
export default async function UnknownLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  return session === null ? children : <DashboardShell session={session}>{children}</DashboardShell>;
}
