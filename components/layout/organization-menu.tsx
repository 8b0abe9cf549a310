"use client";

import { ChevronDown } from "lucide-react";
import { switchOrganization } from "@/components/layout/switch-organization";
import { Menu, MenuChoice } from "@/components/ui/menu";

const face =
  "flex h-8 w-full items-center justify-between gap-2 rounded-sm border border-strong bg-panel px-2.5 font-medium pointer-coarse:h-10";

/** The current organization; members of several can switch. */
export function OrganizationMenu({
  organizations,
  organizationId,
  cookie,
}: {
  organizations: { id: string; name: string }[];
  organizationId: string;
  /** The name of the cookie that stores the choice. */
  cookie: string;
}) {
  const name = organizations.find(({ id }) => id === organizationId)?.name ?? "";
  if (organizations.length < 2) {
    return (
      <p className="truncate rounded-sm border px-2.5 py-1.5 font-medium" title={name}>
        {name}
      </p>
    );
  }
  return (
    <Menu
      align="start"
      wide
      trigger={
        <button type="button" className={face} aria-label={`Organization: ${name}. Switch`}>
          <span className="truncate">{name}</span>
          <ChevronDown size={14} className="shrink-0 text-third" aria-hidden="true" />
        </button>
      }
    >
      <MenuChoice
        label="Organization"
        value={organizationId}
        choices={organizations.map((each) => ({ value: each.id, label: each.name }))}
        onChange={(id) => switchOrganization(cookie, id)}
      />
    </Menu>
  );
}
