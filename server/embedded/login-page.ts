import { createHash } from "node:crypto";
import { escapeHtml } from "@/lib/text/escape-html";

const STYLE = `
:root { color-scheme: light dark; --back: #fbfbfa; --panel: #fff; --line: #d8d7d2; --ink: #1b1c1a; --second: #5d5f5a;
  --seal: #0f6b5c; --on-seal: #fff; --bad: #b42318; --bad-wash: #fdecea; }
@media (prefers-color-scheme: dark) { :root { --back: #101211; --panel: #161918; --line: #343b38; --ink: #e9ece9;
  --second: #a3aba6; --seal: #4fc3ab; --on-seal: #0c0e0d; --bad: #ff8a7a; --bad-wash: #3a1613; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--back);
  color: var(--ink); font: 14px/1.5 ui-sans-serif, system-ui, sans-serif; }
main { width: 100%; max-width: 320px; }
header { display: flex; align-items: center; gap: 8px; font-weight: 600; margin-bottom: 24px; }
header svg { width: 20px; height: 20px; color: var(--seal); }
h1 { font-size: 18px; line-height: 24px; margin: 0 0 4px; letter-spacing: -0.01em; }
p { margin: 0 0 20px; color: var(--second); }
form { display: grid; gap: 6px; }
label { font-weight: 500; }
input { font: inherit; width: 100%; height: 36px; padding: 0 10px; margin-bottom: 10px; color: inherit;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
button { font: inherit; font-weight: 600; height: 36px; margin-top: 6px; border: 0; border-radius: 6px; cursor: pointer;
  background: var(--seal); color: var(--on-seal); }
:is(input, button):focus-visible { outline: 2px solid var(--seal); outline-offset: 2px; }
[role=alert] { margin: 0 0 16px; padding: 8px 10px; border-radius: 6px; color: var(--bad); background: var(--bad-wash); }`;

const MARK = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
  stroke-linejoin="round" aria-hidden="true"><path d="M12 2l2.4 1.8 3-.2 1 2.8 2.5 1.6-.8 2.9.8 2.9-2.5 1.6-1 2.8-3-.2L12 20l-2.4-1.8-3
  .2-1-2.8-2.5-1.6.8-2.9-.8-2.9 2.5-1.6 1-2.8 3 .2z"/><path d="M8.5 11l2.5 2.5 4.5-4.5"/></svg>`;

/** Clicks the only button of a page that needs no input. */
export const PRESS = 'document.querySelector("button").click()';

const source = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The Content-Security-Policy of these pages: their own style and script, and forms that lead to `publicUrl`. */
export function pagesPolicy(publicUrl: string): string {
  return `default-src 'none'; style-src ${source(STYLE)}; script-src ${source(PRESS)}; form-action 'self' ${publicUrl}; frame-ancestors 'none'; base-uri 'none'`;
}

/** A page in the look of the dashboard. `content` is HTML. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sealwatch</title><style>${STYLE}</style></head>
<body><main><header>${MARK}Sealwatch</header><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`;
}

/** The form of a pending sign-in. `problem` is the error of the last attempt. */
export function loginPage(action: string, email: string, problem?: string): string {
  const alert = problem ? `<div role="alert">${escapeHtml(problem)}</div>` : "";
  const [emailFocus, passwordFocus] = email ? ["", " autofocus"] : [" autofocus", ""];
  return page(
    "Sign in",
    `<p>Use an account of this installation.</p>${alert}
<form method="post" action="${escapeHtml(action)}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escapeHtml(email)}"${emailFocus}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${passwordFocus}>
<button type="submit">Sign in</button></form>`,
  );
}
