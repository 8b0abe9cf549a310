import type { cookies } from "next/headers";
import { THEME_COOKIE, type Theme, themes } from "@/components/layout/themes";
import { isTimeZone } from "@/components/time/time-format";
import { TIME_ZONE_COOKIE } from "@/components/time/time-zone-cookie";

type Jar = Awaited<ReturnType<typeof cookies>>;

/** The theme that the reader chose; null for the theme of the system. */
export function theme(jar: Jar): Theme | null {
  const chosen = jar.get(THEME_COOKIE)?.value;
  return themes.find((each) => each === chosen) ?? null;
}

/** The time zone that the reader's browser reported; UTC before that. */
export function readerZone(jar: Jar): string {
  const zone = jar.get(TIME_ZONE_COOKIE)?.value ?? "UTC";
  return isTimeZone(zone) ? zone : "UTC";
}
