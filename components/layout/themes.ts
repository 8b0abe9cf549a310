export const THEME_COOKIE = "sealwatch.theme";
export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];
