import { pageOrganization } from "@/lib/http/page-organization";

/** The cookie with the person's choice, as the browser had it when this page was loaded. */
let loaded: { cookie: string; pair: string } | null = null;

function pairOf(cookie: string): string {
  return document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`)) ?? "";
}

/** Notes what is selected; only the first call of a page counts. `cookie` is the name of the cookie that stores the choice. */
export function noteSelected(cookie: string): void {
  loaded ??= { cookie, pair: pairOf(cookie) };
}

/** Whether another organization than that of this page is selected meanwhile, by another tab. Links act in the selected one. */
export function isSwitched(): boolean {
  if (loaded === null) return false;
  const now = pairOf(loaded.cookie);
  return now !== loaded.pair && now !== `${loaded.cookie}=${pageOrganization()}`;
}
