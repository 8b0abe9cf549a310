/** The organization of this page, and the cookie with the person's choice as the browser had it when the page got this organization. */
let loaded: { cookie: string; pair: string; organizationId: string } | null = null;

function pairOf(cookie: string): string {
  return document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`)) ?? "";
}

/**
 * Notes what is selected; only the first call of a page counts, and the first after it was refreshed to another organization. `cookie` is
 * the name of the cookie that stores the choice.
 */
export function noteSelected(cookie: string, organizationId: string): void {
  if (loaded?.organizationId !== organizationId) loaded = { cookie, pair: pairOf(cookie), organizationId };
}

/** Whether another organization than that of this page is selected meanwhile, by another tab. Links act in the selected one. */
export function isSwitched(): boolean {
  if (loaded === null) return false;
  const { cookie, pair, organizationId } = loaded;
  const now = pairOf(cookie);
  return now !== pair && now !== `${cookie}=${organizationId}`;
}
