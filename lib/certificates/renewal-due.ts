import type { Validity } from "@/lib/certificates/lifetime";

/** The remaining share of the lifetime at which a certificate should be renewed, unless its authority suggests a window. */
export const DUE_SHARE = 1 / 3;

interface RenewalWindow {
  start: Date;
  end: Date;
}

/** What an authority suggests: a window, and the first one after it moved that forward. */
interface Suggestion {
  window: RenewalWindow;
  moved: { to: RenewalWindow } | null;
}

/** The suggested renewal window; null without one, or if it ends after the certificate expires, because it must be wrong. */
export function windowToRenew({ notAfter }: Validity, suggestion: Suggestion | null): RenewalWindow | null {
  if (suggestion === null) return null;
  // Some authorities answer with another window each time after they moved it forward.
  const window = suggestion.moved?.to ?? suggestion.window;
  return window.end < notAfter ? window : null;
}

/** When a certificate should be renewed: from the start of its authority's window, otherwise with a third of its lifetime left. */
export function renewalDueAt(validity: Validity, suggestion: Suggestion | null): Date {
  const { notBefore, notAfter } = validity;
  const aThirdLeft = new Date(notAfter.getTime() - (notAfter.getTime() - notBefore.getTime()) * DUE_SHARE);
  return windowToRenew(validity, suggestion)?.start ?? aThirdLeft;
}
