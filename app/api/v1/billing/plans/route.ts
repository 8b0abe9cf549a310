import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/billing/contract";
import { listPlans } from "@/lib/billing/list-plans";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listPlans, listPlans));
