import { uptimeOf } from "@/lib/status-pages/public/figures";
import { badgeColors } from "@/lib/status-pages/public/look";
import type { PublicSite, PublicStatus } from "@/lib/status-pages/public/read-public-status";
import { pageState, type SiteState, siteStateLabels } from "@/lib/status-pages/public/site-state";
import { counted } from "@/lib/text/counts";
import { escapeHtml } from "@/lib/text/escape-html";
import { uptimeWords } from "@/lib/uptime/window";

/** What a badge shows. */
const badgeKinds = ["state", "uptime", "certificate"] as const;
type BadgeKind = (typeof badgeKinds)[number];

interface Badge {
  label: string;
  value: string;
  state: SiteState;
}

const UPTIME_DAYS = 30;
/** Lower uptime is shown as a warning. */
const GOOD_UPTIME = 99;
/** Fewer days are shown as a warning. */
const EARLY_DAYS = 14;
const LONGEST_LABEL = 40;

/** What a badge says about sites: their worst state, the uptime of all their checks, or the certificate that expires first. */
function badgeOf(label: string, sites: readonly PublicSite[], kind: BadgeKind): Badge {
  if (kind === "state") {
    const state = pageState(sites.map((site) => site.state));
    return { label, value: siteStateLabels[state].toLowerCase(), state };
  }
  if (kind === "uptime") {
    const days = sites.flatMap((site) => site.days?.slice(-UPTIME_DAYS) ?? []);
    const uptime = uptimeOf(days, days.length);
    if (uptime === null) return { label: `${label} uptime`, value: "not checked", state: "unknown" };
    return { label: `${label} uptime`, value: uptimeWords(uptime), state: uptime < GOOD_UPTIME ? "problem" : "up" };
  }
  const left = sites.flatMap((site) => site.daysLeft ?? []);
  if (left.length === 0) return { label: `${label} certificate`, value: "none", state: "unknown" };
  const least = Math.min(...left);
  if (least < 0) return { label: `${label} certificate`, value: "expired", state: "down" };
  const value = `${least} ${counted(least, "day")} left`;
  return { label: `${label} certificate`, value, state: least < EARLY_DAYS ? "problem" : "up" };
}

/** The badge of a page, or of one of its sites. Null if it has no such site, or `kind` does not exist. */
export function badge(status: PublicStatus, siteSlug: string | null, kind: string): string | null {
  const known = badgeKinds.find((each) => each === kind);
  const site = status.sites.find(({ slug }) => slug === siteSlug);
  if (known === undefined) return null;
  if (siteSlug === null) return svg(badgeOf(status.title, status.sites, known));
  return site === undefined ? null : svg(badgeOf(site.label, [site], known));
}

const HEIGHT = 20;
const PADDING = 7;

/** An estimate for a sans-serif of 11 px; `textLength` makes the text fit where the font is another. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    width +=
      character > "\u2fff" ? 11 : /[MWmw@%]/.test(character) ? 10 : /[\sIijl.,:;'!|()]/.test(character) ? 4 : 6.6;
  }
  return Math.round(width);
}

function svg({ label: whole, value, state }: Badge): string {
  const characters = [...whole];
  const label = characters.length > LONGEST_LABEL ? `${characters.slice(0, LONGEST_LABEL - 1).join("")}…` : whole;
  const [left, right] = [label, value].map((text) => widthOf(text) + 2 * PADDING) as [number, number];
  const said = escapeHtml(`${whole}: ${value}`);
  const text = (words: string, x: number, width: number) =>
    `<text x="${x + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeHtml(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${said}">
<title>${said}</title><clipPath id="round"><rect width="${left + right}" height="${HEIGHT}" rx="4"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="${HEIGHT}" fill="#3c3e3a"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${badgeColors[state]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${text(label, 0, left)}${text(value, left, right)}</g></svg>
`;
}
