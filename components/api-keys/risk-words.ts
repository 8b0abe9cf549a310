import type { Tone } from "@/components/ui/badge";
import type { Risk } from "@/lib/api-keys/risks";

interface Words {
  /** In the space of a badge. */
  badge: string;
  tone: Tone;
  says: string;
  /** What to do about it. */
  advice: string;
}

/** What is risky about a key, in words. */
export const riskWords: Record<Risk, Words> = {
  rotated_secret_used: {
    badge: "old secret used",
    tone: "bad",
    says: "A secret that was rotated out is still being tried.",
    advice: "Each try is refused. Find the client at the addresses below and give it the new secret.",
  },
  expires_soon: {
    badge: "expires soon",
    tone: "warn",
    says: "The key expires within 14 days.",
    advice: "Give it a new expiration if its clients should go on; from that moment they get 401.",
  },
  rotation_overdue: {
    badge: "rotation overdue",
    tone: "warn",
    says: "Its secret is older than 90 days.",
    advice: "Rotate it: the longer a secret lives, the more places have a copy.",
  },
  no_whitelist: {
    badge: "no whitelist",
    tone: "warn",
    says: "It may change everything, from any address in the world.",
    advice: "Allow only the addresses below that you know. Before you save you see whom that would refuse.",
  },
  no_expiration: {
    badge: "no expiration",
    tone: "neutral",
    says: "It works until somebody revokes it.",
    advice: "Give it an expiration, so that it ends by itself when it is forgotten.",
  },
  idle: {
    badge: "idle",
    tone: "neutral",
    says: "It has not been used for 90 days or more.",
    advice: "Revoke it if nobody needs it.",
  },
  never_used: {
    badge: "never used",
    tone: "neutral",
    says: "It has never been used.",
    advice: "Revoke it if nobody is going to use it.",
  },
};
