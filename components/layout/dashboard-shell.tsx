import Link from "next/link";
import type { ReactNode } from "react";
import { OpenAlertsProvider } from "@/components/alerts/open-alerts";
import { Providers } from "@/components/layout/providers";
import { Sidebar } from "@/components/layout/sidebar";
import { TopBar } from "@/components/layout/top-bar";
import { ReloadWhenSwitched } from "@/components/organizations/reload-when-switched";
import { Commands } from "@/components/palette/commands";
import { Time } from "@/components/time/time";
import { countOpen } from "@/lib/alerts/count-open";
import type { FoundSession } from "@/lib/auth/find-session";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";

/** The frame of every page of the dashboard: navigation, palette, banners and the notices that pages share. */
export async function DashboardShell({ session, children }: { session: FoundSession; children: ReactNode }) {
  const { principal, organizations, isDemonstration, isOperator, deletionDueAt } = session;
  // A failed count must not break the page.
  const open = await countOpen(principal).catch(() => 0);
  const { actor, permission, organizationId } = principal;
  const email = actor.type === "user" ? actor.email : "";
  const sidebar = (
    <Sidebar
      organizations={organizations}
      organizationId={organizationId}
      organizationCookie={ORGANIZATION_COOKIE}
      person={{ name: actor.name, email, permission }}
    />
  );
  return (
    <Providers who={`${email} ${organizationId}`} organizationId={organizationId}>
      <a
        href="#content"
        className="sr-only z-50 rounded-sm bg-seal px-3 py-2 text-on-seal focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Commands
        permission={permission}
        organizationId={organizationId}
        organizations={organizations}
        organizationCookie={ORGANIZATION_COOKIE}
        isOperator={isOperator}
      />
      <ReloadWhenSwitched cookie={ORGANIZATION_COOKIE} organizationId={organizationId} />
      <OpenAlertsProvider counted={{ count: open }}>
        <TopBar>{sidebar}</TopBar>
        <div className="lg:grid lg:grid-cols-[13.25rem_minmax(0,1fr)]">
          <aside aria-label="Sidebar" className="sticky top-0 hidden h-dvh border-r bg-sunken lg:block">
            {sidebar}
          </aside>
          <main id="content" tabIndex={-1} className="min-w-0 pb-16 outline-none">
            {isDemonstration && (
              <p className="mx-4 mt-3 rounded-sm bg-warn-wash px-3 py-1 text-sm text-warn sm:mx-5">
                Demo data: this organization and its activity are fictional.
              </p>
            )}
            {deletionDueAt && (
              <p className="mx-4 mt-3 rounded-sm bg-warn-wash px-3 py-1 text-sm text-warn sm:mx-5">
                This organization will be deleted <Time value={deletionDueAt.toISOString()} />.{" "}
                <Link href="/organization" className="underline underline-offset-2">
                  Restore it or export its data
                </Link>
              </p>
            )}
            {children}
          </main>
        </div>
      </OpenAlertsProvider>
    </Providers>
  );
}
