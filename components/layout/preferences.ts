import type { cookies } from "next/headers";
import { THEME_COOKIE, type Theme, themes } from "@/components/layout/themes";
import { isTimeZone } from "@/components/time/time-format";
import { TIME_ZONE_COOKIE } from "@/components/time/time-zone-cookie";

type Jar = Awaited<ReturnType<typeof cookies>>;

/** The theme this reader chose; null leaves it to the system. */
export function theme(jar: Jar): Theme | null {
  const chosen = jar.get(THEME_COOKIE)?.value;
  return themes.find((each) => each === chosen) ?? null;
}

/** The zone this reader's browser told us, UTC before it did. */
export function readerZone(jar: Jar): string {
  const zone = jar.get(TIME_ZONE_COOKIE)?.value ?? "UTC";
  return isTimeZone(zone) ? zone : "UTC";
}
