import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/billing/contract";
import { receiveBillingNotice } from "@/lib/billing/receive-notice";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.receiveBillingNotice, receiveBillingNotice),
);
