import type { Target } from "@/lib/destinations/kinds/kind";
import { SendFailure } from "@/lib/destinations/kinds/send-failure";
import { secretsHider } from "@/lib/text/hide-secrets";

/** A function that replaces the secrets of a target in the texts of its receiver, which may answer with the request. */
export function hiderOf({ settings, secrets, signingSecrets }: Target): (text: string) => string {
  const fields = { ...(settings as Record<string, unknown>), ...(secrets as Record<string, unknown>) };
  const { username, password } = fields;
  const texts = [...Object.values(secrets as object), ...signingSecrets].filter((value) => typeof value === "string");
  const credentials = texts.flatMap((text) => /^\S+ (\S+)$/.exec(text)?.[1] ?? []);
  const basic = password ? [Buffer.from(`${username}:${password}`).toString("base64")] : [];
  return secretsHider([...texts, ...credentials, ...basic], "[secret]", 2);
}

/** Resolves when the batch was sent. Rejects with a SendFailure that has none of the target's secrets. */
export async function withoutSecrets(sent: Promise<void>, target: Target): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error;
    const hide = hiderOf(target);
    const { message, status, retryAfterMs, evidence } = error;
    throw new SendFailure(hide(message), { status, retryAfterMs, evidence: evidence && hide(evidence) });
  }
}
