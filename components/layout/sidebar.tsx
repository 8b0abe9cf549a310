import Link from "next/link";
import { OpenAlerts } from "@/components/alerts/open-alerts";
import { Mark } from "@/components/layout/mark";
import { NavLink } from "@/components/layout/nav-link";
import { navigation } from "@/components/layout/navigation";
import { OrganizationMenu } from "@/components/layout/organization-menu";
import { UserMenu } from "@/components/layout/user-menu";
import { PaletteButton } from "@/components/palette/palette-button";

export interface Person {
  name: string;
  email: string;
  permission: "admin" | "read";
}

export function Sidebar({
  organizations,
  organizationId,
  organizationCookie,
  person,
}: {
  organizations: { id: string; name: string }[];
  organizationId: string;
  organizationCookie: string;
  person: Person;
}) {
  return (
    <div className="flex h-full flex-col gap-4 px-2.5 py-3 *:shrink-0">
      <Link
        href="/"
        prefetch={false}
        className="flex h-7 items-center gap-2.5 rounded-sm px-2 font-semibold text-lg tracking-tight"
      >
        <Mark />
        Sealwatch
      </Link>
      <OrganizationMenu organizations={organizations} organizationId={organizationId} cookie={organizationCookie} />
      <PaletteButton />
      <nav aria-label="Main" className="-mx-2.5 grid min-h-0 shrink! grow content-start gap-4 overflow-y-auto px-2.5">
        {navigation.map(({ title, entries }) => (
          <div key={title ?? "top"}>
            {title && <h2 className="px-2 pb-1 text-third text-xs">{title}</h2>}
            <ul className="grid gap-px">
              {entries.map((entry) => (
                <li key={entry.href}>
                  <NavLink {...entry}>{entry.href === "/alerts" && <OpenAlerts />}</NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <UserMenu person={person} />
    </div>
  );
}
