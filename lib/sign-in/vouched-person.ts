import * as z from "zod";
import { withoutSlash } from "@/lib/auth/issuer";
import type { Person } from "@/lib/sign-in/sign-in";
import { SignInRefused } from "@/lib/sign-in/sign-in-refused";
import { withoutBreaks } from "@/lib/text/one-line";
import { EMAIL_ADDRESS } from "@/lib/text/shapes/email-address";

const MAX_NAME_LENGTH = 200;

/** The claims that we read from an ID token (OpenID Connect Core 1.0, 2 and 5.1). Some issuers send the boolean as text. */
const claimsShape = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().max(320).regex(EMAIL_ADDRESS).nullish().catch(null),
  email_verified: z
    .preprocess((value) => (typeof value === "string" ? value === "true" : value), z.boolean())
    .nullish()
    .catch(false),
  name: z.string().nullish().catch(null),
  preferred_username: z.string().nullish().catch(null),
});

/** The groups in a claim: a text or a list of texts; none if the token lacks it or has something else. */
export function groupsOf(claims: unknown, claim: string): string[] {
  const value = Object.entries((claims ?? {}) as Record<string, unknown>).find(([name]) => name === claim)?.[1];
  const list = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === "string");
}

/**
 * The person in a valid ID token. `emailVerified` is the setting: whether an address counts as verified if the token does not say;
 * an address marked as unverified never does. Throws SignInRefused.
 */
export function personOf(claims: unknown, issuer: string, emailVerified: "required" | "assumed"): Person {
  const parsed = claimsShape.safeParse(claims);
  if (!parsed.success) throw new SignInRefused("ProviderAnswer", "The ID token lacks required claims.");
  const { iss, sub, email, email_verified, name, preferred_username } = parsed.data;
  // The client checks the issuer of the discovery document; the issuer that the operator configured must match too.
  if (withoutSlash(iss) !== withoutSlash(issuer)) {
    throw new SignInRefused("ProviderAnswer", `The ID token has the issuer ${iss.slice(0, MAX_NAME_LENGTH)}.`);
  }
  if (!email) throw new SignInRefused("NoEmail", `The identity provider sent no e-mail address for subject ${sub}.`);
  if (!(email_verified ?? emailVerified === "assumed")) {
    const reason = `The identity provider does not confirm that ${email}, of subject ${sub}, is verified.`;
    throw new SignInRefused("UnverifiedEmail", reason);
  }
  const names = [name, preferred_username, email].map((each) => withoutBreaks(each ?? "").trim());
  const called = (names.find(Boolean) ?? email).slice(0, MAX_NAME_LENGTH);
  const isVerified = email_verified === true;
  return { issuer, subject: sub, email: email.toLowerCase(), name: called, isVerified };
}
