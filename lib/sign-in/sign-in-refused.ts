/** Reasons for a failed sign-in with the messages shown to the person. The code is in the URL of the sign-in page. */
export const refusals = {
  Declined: "Your identity provider denied the sign-in, or you canceled it.",
  ProviderError: "Your identity provider reported an error. Try again, or contact its administrator.",
  ProviderAway: "Your identity provider cannot be reached. Try again in a moment.",
  ProviderAnswer:
    "The response of your identity provider could not be verified, so you were not signed in. Try again. If it happens again, contact the administrator of Sealwatch.",
  NotStarted:
    "This sign-in was not started in this browser, took too long or was already used. Start again with the button below.",
  NoEmail:
    "Your identity provider did not send an e-mail address, which Sealwatch requires. Ask its administrator to release the e-mail claim.",
  UnverifiedEmail:
    "Your identity provider does not confirm that your e-mail address is verified. Verify it there, then sign in again.",
  EmailTaken:
    "Your e-mail address belongs to a person who signs in with another account of your identity provider. Contact the administrator of Sealwatch.",
  NoGroup: "None of your groups at your identity provider gives you access to Sealwatch. Contact its administrator.",
  NoRoom: "Your organization has no room for another member on its plan. Contact its admins.",
  TooManyMemberships:
    "Your groups make you a member of an organization, but you are already a member of as many as a person can be. Contact the administrator of Sealwatch.",
  TooManyOrganizations:
    "You are a member of no organization, and you have created as many as a person can. Contact the administrator of Sealwatch.",
  StillSignedIn:
    "You are signed out of Sealwatch, but your identity provider cannot be reached. You may still be signed in there.",
  Failed: "Sealwatch could not sign you in. Try again in a moment.",
} as const;

export type RefusalCode = keyof typeof refusals;

export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(refusals, text);
}

/** The path of the sign-in page that shows an error and continues to `path` after signing in. */
export function signInPage(code: RefusalCode, path = "/"): string {
  const query = new URLSearchParams({ error: code, ...(path !== "/" && { callbackUrl: path }) });
  return `/sign-in?${query}`;
}

/** Ends a sign-in. `reason` is for the audit log: the error, without secrets. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";

  constructor(
    readonly code: RefusalCode,
    readonly reason: string,
    /** Its event has already been stored. */
    readonly isRecorded = false,
  ) {
    super(reason);
  }
}

const MAX_REASON_LENGTH = 300;
const UNREACHABLE = /timed out|socket hang up|expected 200 OK, got: 5\d\d/;
const NOT_STARTED =
  /cookie was missing|could not be parsed|created for a different provider|^state (mismatch|missing)|checks\.state/;

/** Interprets an error of next-auth or its OpenID Connect client. The message is truncated before the values that it compares. */
export function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const { message = "", code } = (error ?? {}) as { message?: string; code?: unknown };
  const reason = (message.split(", expected ")[0] ?? "").slice(0, MAX_REASON_LENGTH);
  const isUnreachable =
    (typeof code === "string" && /^(E[A-Z]+|CERT_|UNABLE_|ERR_TLS|DEPTH_ZERO)/.test(code)) || UNREACHABLE.test(message);
  if (isUnreachable) return new SignInRefused("ProviderAway", `The identity provider cannot be reached: ${reason}.`);
  if (NOT_STARTED.test(message))
    return new SignInRefused("NotStarted", `The response does not match a sign-in in progress: ${reason}.`);
  return new SignInRefused("ProviderAnswer", `The identity provider's response is invalid: ${reason}.`);
}
