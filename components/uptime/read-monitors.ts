import { byUrgency } from "@/components/uptime/words";
import type { Principal } from "@/lib/auth/principal";
import type { Monitor } from "@/lib/uptime/contract";
import { listMonitors } from "@/lib/uptime/list-monitors";

const PAGE = 200;
const MOST_PAGES = 10;

/** The organization's monitors, what is down first, then by name. `isCut` when there are more than a page can sort. */
export async function readMonitors(principal: Principal): Promise<{ monitors: Monitor[]; isCut: boolean }> {
  const monitors: Monitor[] = [];
  let cursor: string | undefined;
  let isCut = true;
  for (let page = 0; page < MOST_PAGES && isCut; page++) {
    const { items, nextCursor } = await listMonitors(principal, {
      limit: PAGE,
      cursor,
      status: undefined,
      tag: undefined,
    });
    monitors.push(...items);
    isCut = nextCursor !== null;
    cursor = nextCursor ?? undefined;
  }
  const rank = ({ status }: Monitor) => byUrgency.indexOf(status);
  return { monitors: monitors.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en")), isCut };
}
