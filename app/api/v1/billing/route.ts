import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/billing/contract";
import { getBilling } from "@/lib/billing/get";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getBilling, getBilling));
