"use client";

import { ChevronsUpDown } from "lucide-react";
import { type ThemeChoice as Choice, chooseTheme, themeChoices } from "@/components/layout/choose-theme";
import type { Person } from "@/components/layout/sidebar";
import { signOut } from "@/components/layout/sign-out";
import { themes } from "@/components/layout/themes";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";

/** The signed-in user and their permission, the theme, and the sign-out. */
export function UserMenu({ person }: { person: Person }) {
  return (
    <Menu
      align="start"
      wide
      trigger={
        <button
          type="button"
          className="flex w-full items-center justify-between gap-2 rounded-sm px-2 py-1 text-left hover:bg-line/60"
        >
          <span className="min-w-0">
            <span className="block truncate">{person.name}</span>
            <span className="block text-third text-xs">{person.permission === "admin" ? "admin" : "read only"}</span>
          </span>
          <ChevronsUpDown size={14} className="shrink-0 text-third" aria-hidden="true" />
        </button>
      }
    >
      <MenuLabel>{person.email}</MenuLabel>
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      <MenuItem onSelect={signOut}>Sign out</MenuItem>
    </Menu>
  );
}

/** Rendered only while the menu is open, so it always reads the current theme. */
function ThemeChoice() {
  const shown = document.documentElement.dataset.theme;
  return (
    <MenuChoice<Choice>
      label="Theme"
      value={themes.find((theme) => theme === shown) ?? "system"}
      choices={themeChoices}
      onChange={chooseTheme}
    />
  );
}
