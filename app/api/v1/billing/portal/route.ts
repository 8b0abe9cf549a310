import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/billing/contract";
import { createPortal } from "@/lib/billing/create-portal";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.createPortal, createPortal));
