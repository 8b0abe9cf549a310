import { config } from "@/lib/config";

/** The dashboard's billing page, which is the provider's return URL. */
export function billingUrl(): string {
  return `${config().PUBLIC_URL}/billing`;
}
