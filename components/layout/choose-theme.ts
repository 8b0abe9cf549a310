import { THEME_COOKIE, type Theme } from "@/components/layout/themes";
import { remember } from "@/components/ui/remember";

export type ThemeChoice = Theme | "system";

export const themeChoices: { value: ThemeChoice; label: string }[] = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Shows the theme at once, and has the server render by it from now on. */
export function chooseTheme(choice: ThemeChoice): void {
  const { dataset } = document.documentElement;
  if (choice === "system") delete dataset.theme;
  else dataset.theme = choice;
  remember(THEME_COOKIE, choice === "system" ? null : choice);
}
