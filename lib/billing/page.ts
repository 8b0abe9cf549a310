import { config } from "@/lib/config";

/** The dashboard's page of the plan, where the provider sends people back to. */
export function billingUrl(): string {
  return `${config().PUBLIC_URL}/billing`;
}
