"use client";

import { ChevronsUpDown } from "lucide-react";
import type { Person } from "@/components/layout/sidebar";
import { THEME_COOKIE, type Theme, themes } from "@/components/layout/themes";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { remember } from "@/components/ui/remember";
import { tell } from "@/components/ui/toast";

type Choice = Theme | "system";

/** Who is signed in, with which permission; the theme, and the way out. */
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

/** Rendered while the menu is open, so it reads what is chosen each time. */
function ThemeChoice() {
  const shown = document.documentElement.dataset.theme;
  return (
    <MenuChoice<Choice>
      label="Theme"
      value={themes.find((theme) => theme === shown) ?? "system"}
      choices={[
        { value: "system", label: "As the system" },
        { value: "light", label: "Light" },
        { value: "dark", label: "Dark" },
      ]}
      onChange={chooseTheme}
    />
  );
}

/** Ends the session here, then goes where the identity provider ends its own. */
async function signOut() {
  try {
    const answer = await fetch("/api/auth/sign-out", { method: "POST" });
    if (!answer.ok) throw new Error(`the sign-out was answered ${answer.status}`);
    const { url } = (await answer.json()) as { url: string };
    location.assign(url);
  } catch {
    tell("You could not be signed out. Try again in a moment.");
  }
}

function chooseTheme(choice: Choice) {
  const { dataset } = document.documentElement;
  if (choice === "system") delete dataset.theme;
  else dataset.theme = choice;
  remember(THEME_COOKIE, choice === "system" ? null : choice);
}
