/** Why a sign-in came to nothing, and what the person reads. The code stands in the address of the sign-in page. */
export const refusals = {
  Declined: "Your identity provider did not let you in, or you did not agree to sign in.",
  ProviderError: "Your identity provider reported an error instead of signing you in. Try again, or ask who runs it.",
  ProviderAway: "The identity provider cannot be reached. Try again in a moment.",
  ProviderAnswer:
    "The answer of the identity provider cannot be trusted, so you were not signed in. Try again; if it happens again, ask who runs Sealwatch.",
  NotStarted:
    "This sign-in was not started here, took too long, or was used already. Start again with the button below.",
  NoEmail:
    "Your identity provider gave no e-mail address, and Sealwatch needs one. Ask who runs it to release the e-mail claim.",
  UnverifiedEmail:
    "Your identity provider does not say that your e-mail address is verified. Verify it there, then sign in again.",
  EmailTaken:
    "Your e-mail address belongs to someone who signs in with another account of your identity provider. Ask who runs Sealwatch.",
  StillSignedIn:
    "You are signed out of Sealwatch, but your identity provider cannot be reached: you may still be signed in there.",
  Failed: "Sealwatch could not open a session. Try again in a moment.",
} as const;

export type RefusalCode = keyof typeof refusals;

export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(refusals, text);
}

/** The sign-in page that says why, and leads on to `path` afterwards. */
export function signInPage(code: RefusalCode, path = "/"): string {
  const query = new URLSearchParams({ error: code, ...(path !== "/" && { callbackUrl: path }) });
  return `/sign-in?${query}`;
}

/** Ends a sign-in. `reason` is for the audit log: what was wrong, without anything secret. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";

  constructor(
    readonly code: RefusalCode,
    readonly reason: string,
    /** Its event is written already. */
    readonly isRecorded = false,
  ) {
    super(reason);
  }
}

const LONGEST_REASON = 300;
const AWAY = /timed out|socket hang up|expected 200 OK, got: 5\d\d/;
const NOT_STARTED =
  /cookie was missing|could not be parsed|created for a different provider|^state (mismatch|missing)|checks\.state/;

/** What an error of next-auth or its OpenID Connect client means. Its message is cut before the values it compares. */
export function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const { message = "", code } = (error ?? {}) as { message?: string; code?: unknown };
  const reason = (message.split(", expected ")[0] ?? "").slice(0, LONGEST_REASON);
  const isAway =
    (typeof code === "string" && /^(E[A-Z]+|CERT_|UNABLE_|ERR_TLS|DEPTH_ZERO)/.test(code)) || AWAY.test(message);
  if (isAway) return new SignInRefused("ProviderAway", `The identity provider cannot be reached: ${reason}.`);
  if (NOT_STARTED.test(message))
    return new SignInRefused("NotStarted", `The answer fits no sign-in under way: ${reason}.`);
  return new SignInRefused("ProviderAnswer", `The identity provider's answer is not valid: ${reason}.`);
}
