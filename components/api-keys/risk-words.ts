import type { Tone } from "@/components/ui/badge";
import type { Risk } from "@/lib/api-keys/risks";

interface Words {
  tone: Tone;
  /** When a key has this risk. */
  says: string;
  /** What to do about it. */
  advice: string;
}

/** What each risk of an API key means. */
export const riskWords: Record<Risk, Words> = {
  rotated_secret_used: {
    tone: "bad",
    says: "An old secret was used within the last 7 days.",
    advice:
      "Each of these requests is refused. Deploy the new secret to your own addresses, and block unrecognized addresses.",
  },
  expires_soon: {
    tone: "warn",
    says: "The key expires within 14 days.",
    advice: "Extend it if its clients still need it. After it expires, they get 401.",
  },
  rotation_overdue: {
    tone: "warn",
    says: "Its secret is more than 90 days old.",
    advice: "Rotate it. The longer a secret is in use, the more places have a copy.",
  },
  no_whitelist: {
    tone: "warn",
    says: "It has admin permission and works from any address.",
    advice: "Allow only the addresses below that you know. A preview shows who would be refused.",
  },
  no_expiration: {
    tone: "neutral",
    says: "It works until it is revoked.",
    advice: "Set an expiration, so that a forgotten key stops working.",
  },
  idle: {
    tone: "neutral",
    says: "It has not been used for 90 days or more.",
    advice: "Revoke it if nobody needs it.",
  },
  never_used: {
    tone: "neutral",
    says: "It was created more than a day ago and has never been used.",
    advice: "Revoke it if nobody is going to use it.",
  },
};
