import { certificateWords, uptimeOf, utcDate, utcMinute } from "@/lib/status-pages/public/figures";
import { STYLE } from "@/lib/status-pages/public/look";
import type { PublicSite, PublicStatus } from "@/lib/status-pages/public/read-public-status";
import { pageState, siteStateLabels, stateSentence } from "@/lib/status-pages/public/site-state";
import { counted } from "@/lib/text/counts";
import { escapeHtml } from "@/lib/text/escape-html";
import type { UptimeDay } from "@/lib/uptime/checks/days";
import { uptimeWords } from "@/lib/uptime/window";

const BAR = 5;
const HEIGHT = 32;
/** A day with a lower share of successful checks is shown as bad; its bar is the shorter, the worse it was. */
const BAD_BELOW = 0.95;

/** The whole document of a public page. It contains nothing but what `PublicStatus` has. */
export function statusDocument({ title, sites, at }: PublicStatus): string {
  const states = sites.map(({ state }) => state);
  const current = sites.filter(({ state }) => state === "down" || state === "problem");
  const incidents =
    current.length === 0
      ? ""
      : `<section><h2>Current incidents</h2><ul class="incidents">${current.map(incident).join("")}</ul></section>`;
  return shell(
    title,
    `<p class="answer ${pageState(states)}"><span>${stateSentence(states)}</span></p>
${incidents}
${sites.length === 0 ? "" : `<section><h2>Sites</h2><ul class="sites">${sites.map(site).join("")}</ul></section>`}
<footer>Updated ${time(at)}. Days are in UTC.</footer>`,
  );
}

/** The document for an address without a published page, whatever the reason. */
export const absentDocument = shell(
  "No such page",
  '<p class="answer unknown"><span>There is no status page at this address.</span></p>',
);

function shell(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1><bdi>${escapeHtml(title)}</bdi></h1>
${content}</main></body></html>
`;
}

function time(at: number): string {
  return `<time datetime="${new Date(at).toISOString()}">${utcMinute(at)}</time>`;
}

function incident({ label, state, since }: PublicSite): string {
  const name = `<strong><bdi>${escapeHtml(label)}</bdi></strong>`;
  if (state !== "down") return `<li>${name} has a problem with its certificate.</li>`;
  return `<li>${name} ${since === null ? "is down" : `has been down since ${time(since)}`}.</li>`;
}

function site({ label, state, days, daysLeft }: PublicSite): string {
  const uptime = days === null ? null : uptimeOf(days, days.length);
  const facts = [
    days !== null &&
      `<span>${uptime === null ? "Not checked" : `${uptimeWords(uptime)} uptime`} in ${days.length} days</span>`,
    daysLeft !== null && `<span>${certificateWords(daysLeft)}</span>`,
  ].filter((fact) => fact !== false);
  return `<li><div class="name"><h3><bdi>${escapeHtml(label)}</bdi></h3><span class="${state}">${siteStateLabels[state]}</span></div>
${days === null ? "" : bars(days)}<p class="facts">${facts.join("")}</p>${days === null ? "" : failures(days)}</li>`;
}

function bars(days: readonly UptimeDay[]): string {
  const bad = days.filter((day) => day.failures > 0).length;
  const label = `Last ${days.length} days: ${bad === 0 ? "no failures" : `failures on ${bad} ${counted(bad, "day")}`}`;
  const rects = days.map((day, at) => {
    const share = day.checks === 0 ? 1 : 1 - day.failures / day.checks;
    const tone = day.checks === 0 ? "none" : share === 1 ? "all" : share < BAD_BELOW ? "few" : "some";
    const height = tone === "none" ? 4 : tone === "all" ? HEIGHT : tone === "some" ? 24 : 14;
    const box = `x="${at * BAR}" y="${HEIGHT - height}" width="${BAR - 1}" height="${height}"`;
    return `<rect ${box} class="${tone}"><title>${dayWords(day)}</title></rect>`;
  });
  const size = `viewBox="0 0 ${days.length * BAR - 1} ${HEIGHT}" preserveAspectRatio="none"`;
  const ends = `<p class="ends" aria-hidden="true"><span>${utcDate(days[0]?.start ?? 0)}</span><span>today</span></p>`;
  return `<svg role="img" aria-label="${label}" ${size}>${rects.join("")}</svg>${ends}`;
}

function dayWords(day: UptimeDay): string {
  const uptime = uptimeOf([day], 1);
  return `${utcDate(day.start)}: ${uptime === null ? "not checked" : uptimeWords(uptime)}`;
}

/** The days with failures as text, newest first, for everybody who cannot see or point at bars. */
function failures(days: readonly UptimeDay[]): string {
  const bad = days.filter((day) => day.failures > 0).reverse();
  if (bad.length === 0) return "";
  const list = bad.map((day) => `<li>${dayWords(day)}</li>`).join("");
  return `<details><summary>${bad.length} ${counted(bad.length, "day")} with failures</summary><ul>${list}</ul></details>`;
}
