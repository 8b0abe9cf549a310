import { createHash } from "node:crypto";

/** The style of a public page, in the colours of the dashboard. It has no other style, script or font. */
export const STYLE = `
:root { color-scheme: light dark; --canvas: light-dark(#fbfbfa, #101211); --panel: light-dark(#fff, #161918);
  --line: light-dark(#e7e6e2, #252a28); --ink: light-dark(#1b1c1a, #e9ece9); --second: light-dark(#5d5f5a, #a3aba6);
  --seal: light-dark(#0f6b5c, #4fc3ab); --bad: light-dark(#b42318, #ff8a7a); --warn: light-dark(#9a5b00, #f0b95a);
  --good: light-dark(#2c6e49, #7fcf9f); }
* { box-sizing: border-box; }
body { margin: 0; padding: 48px 20px; background: var(--canvas); color: var(--ink);
  font: 14px/20px ui-sans-serif, system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 680px; margin: 0 auto; overflow-wrap: anywhere; }
h1 { margin: 0 0 20px; font-size: 22px; line-height: 28px; letter-spacing: -0.01em; }
h2 { margin: 32px 0 8px; font-size: 14px; line-height: 20px; font-weight: 600; }
h3 { margin: 0; font-size: 14px; line-height: 20px; font-weight: 600; }
p, ul { margin: 0; padding: 0; list-style: none; }
.answer { padding: 12px 14px; border: 1px solid var(--line); border-left: 4px solid currentColor; border-radius: 5px;
  background: var(--panel); font-size: 16px; line-height: 24px; font-weight: 600; }
.answer span { color: var(--ink); }
.incidents li { padding: 8px 0; border-bottom: 1px solid var(--line); }
.sites > li { padding: 16px 0; border-bottom: 1px solid var(--line); }
.name { display: flex; justify-content: space-between; gap: 16px; }
.name > span { flex-shrink: 0; font-weight: 600; }
.up { color: var(--good); } .down { color: var(--bad); } .problem, .maintenance { color: var(--warn); }
.unknown, .facts, .ends, footer, summary { color: var(--second); }
svg { display: block; width: 100%; height: 32px; margin: 10px 0 4px; }
.all { fill: var(--good); } .some { fill: var(--warn); } .few { fill: var(--bad); } .none { fill: var(--line); }
.ends { display: flex; justify-content: space-between; margin-bottom: 4px; font-size: 12px; }
.facts { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; font-size: 13px;
  font-variant-numeric: tabular-nums; }
details { margin-top: 6px; font-size: 13px; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--seal); outline-offset: 2px; }
footer { margin-top: 32px; font-size: 13px; }
@media (forced-colors: active) { .all { fill: CanvasText; } .some { fill: Highlight; } .few { fill: LinkText; }
  .none { fill: GrayText; } svg { forced-color-adjust: none; } }
`;

const source = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

/** The Content-Security-Policy of a public page: only its own style, and its icon, which is empty. */
export const STATUS_POLICY = `default-src 'none'; style-src ${source}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The colours of badges, with white text on them. */
export const badgeColors = {
  up: "#2c6e49",
  down: "#b42318",
  problem: "#9a5b00",
  maintenance: "#9a5b00",
  unknown: "#5d5f5a",
} as const;
