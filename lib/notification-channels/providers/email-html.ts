import { severityLabels } from "@/lib/certificates/finding-labels";
import type { Severity } from "@/lib/certificates/findings";
import { whyWords } from "@/lib/notification-channels/providers/email-text";
import {
  adviceOf,
  itemFacts,
  type Message,
  type MessageItem,
  momentWords,
  stateWord,
} from "@/lib/notification-channels/providers/message";
import type { Circumstances } from "@/lib/notification-channels/providers/provider";
import { escapeHtml } from "@/lib/text/escape-html";

type Tone = Severity | "resolved";

/** Text on background, in the colours of the dashboard (app/globals.css), with a contrast of at least 4.5 in both schemes. */
const TONES: Readonly<Record<Tone, { light: [text: string, back: string]; dark: [text: string, back: string] }>> = {
  critical: { light: ["#b42318", "#fdecea"], dark: ["#ff8a7a", "#3a1613"] },
  warning: { light: ["#9a5b00", "#fdf3df"], dark: ["#f0b95a", "#35260c"] },
  info: { light: ["#5d5f5a", "#f4f4f2"], dark: ["#a3aba6", "#252a28"] },
  resolved: { light: ["#0f6b5c", "#e3f2ee"], dark: ["#4fc3ab", "#12332d"] },
};

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Mail programs that know no media queries show the inline styles: the light scheme. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  .page { background: #101211 !important; }
  .card { background: #161918 !important; border-color: #252a28 !important; }
  .line { border-color: #252a28 !important; }
  .text, .text a { color: #e9ece9 !important; }
  .soft, .soft a { color: #a3aba6 !important; }
  .button { background: #4fc3ab !important; color: #08201b !important; }
${Object.entries(TONES)
  .map(([tone, { dark }]) => `  .${tone} { color: ${dark[0]} !important; background: ${dark[1]} !important; }`)
  .join("\n")}
}`;

function badge(tone: Tone, words: string): string {
  const [colour, back] = TONES[tone].light;
  return `<span class="${tone}" style="display:inline-block;padding:2px 10px;border-radius:10px;font-size:13px;font-weight:600;color:${colour};background:${back}">${escapeHtml(words)}</span>`;
}

function itemRow(item: MessageItem, isResolved: boolean): string {
  const facts = itemFacts(item).map(escapeHtml).join(" · ");
  const tone = isResolved ? "resolved" : item.severity;
  const about = item.about?.resource.url;
  const resource =
    about === undefined ? "" : ` · <a href="${escapeHtml(about)}" style="color:#5d5f5a">details of the resource</a>`;
  return `<tr><td class="line" style="padding:14px 0;border-top:1px solid #e7e6e2">
<div class="text" style="font-size:15px;color:#1b1c1a"><a href="${escapeHtml(item.url)}" style="color:#1b1c1a;font-weight:600"><bdi>${escapeHtml(item.subject)}</bdi></a></div>
<div class="text" style="font-size:15px;color:#1b1c1a;margin:2px 0 6px"><bdi>${escapeHtml(item.detail)}</bdi></div>
<div class="soft" style="font-size:13px;color:#5d5f5a">${badge(tone, severityLabels[item.severity])} ${facts}${resource}</div>
</td></tr>`;
}

function adviceRow(message: Message): string {
  const advice = adviceOf(message);
  if (advice.length === 0) return "";
  const lines = advice.map((each) => `<li style="margin:2px 0">${escapeHtml(each)}</li>`).join("");
  return `<tr><td class="line text" style="padding:14px 0;border-top:1px solid #e7e6e2;font-size:15px;color:#1b1c1a"><strong>What to do</strong><ul style="margin:6px 0 0;padding-left:20px">${lines}</ul></td></tr>`;
}

/** An e-mail as HTML. Everything in it but our own words is escaped; nothing is loaded from anywhere. */
export function emailHtml(message: Message, channel: Circumstances["channel"]): string {
  const { organization, state, severity, title, text, items, more, url, at } = message;
  const tone = state === "resolved" ? "resolved" : severity;
  const from = [organization?.name, momentWords(at)].filter((part) => part !== undefined);
  const rows = items.map((item) => itemRow(item, state === "resolved")).join("");
  const others =
    more > 0
      ? `<tr><td class="soft" style="padding:0 0 14px;font-size:13px;color:#5d5f5a">and ${more} more</td></tr>`
      : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title.replaceAll(/\s+/g, " "))}</title><style>${STYLE}</style></head>
<body class="page" style="margin:0;padding:0;background:#fbfbfa">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#fbfbfa"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:600px;text-align:left;background:#ffffff;border:1px solid #e7e6e2;border-radius:8px;${FONT};line-height:1.5"><tr><td style="padding:24px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
<tr><td class="soft" style="padding-bottom:10px;font-size:13px;color:#5d5f5a">${badge(tone, stateWord(message))} <bdi>${from.map(escapeHtml).join("</bdi> · <bdi>")}</bdi></td></tr>
<tr><td class="text" style="padding-bottom:8px;color:#1b1c1a"><h1 style="margin:0;font-size:20px;line-height:1.3;overflow-wrap:anywhere"><bdi>${escapeHtml(title)}</bdi></h1></td></tr>
<tr><td class="text" style="padding-bottom:16px;font-size:15px;color:#1b1c1a">${escapeHtml(text).replaceAll("\n", "<br>")}</td></tr>
${rows}${others}${adviceRow(message)}
<tr><td style="padding:10px 0 4px"><a href="${escapeHtml(url)}" class="button" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0f6b5c;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">Open in Sealwatch</a></td></tr>
</table></td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;text-align:left;${FONT}"><tr><td class="soft" style="padding:14px 24px;font-size:12px;line-height:1.5;color:#5d5f5a">${escapeHtml(whyWords(message, channel))} <a href="${escapeHtml(channel.url)}" style="color:#5d5f5a">Change the channel</a></td></tr></table>
</td></tr></table></body></html>
`;
}
