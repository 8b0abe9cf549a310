import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/billing/contract";
import { createCheckout } from "@/lib/billing/create-checkout";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.createCheckout, createCheckout));
