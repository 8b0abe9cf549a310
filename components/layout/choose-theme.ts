import { remember } from "@/components/layout/remember";
import { THEME_COOKIE, type Theme } from "@/components/layout/themes";

export type ThemeChoice = Theme | "system";

export const themeChoices: { value: ThemeChoice; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Applies the theme immediately, and stores it for the server to render. */
export function chooseTheme(choice: ThemeChoice): void {
  const { dataset } = document.documentElement;
  if (choice === "system") delete dataset.theme;
  else dataset.theme = choice;
  remember(THEME_COOKIE, choice === "system" ? null : choice);
}
