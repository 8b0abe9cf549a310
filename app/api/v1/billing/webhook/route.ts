import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/billing/contract";
import { receiveBillingWebhookEvent } from "@/lib/billing/receive-webhook-event";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.receiveBillingNotice, receiveBillingWebhookEvent),
);
