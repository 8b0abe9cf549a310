import { handle, route } from "@/lib/api/route";
import { listFindings } from "@/lib/certificates/endpoints/list-findings";
import * as contract from "@/lib/certificates/history-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listFindings, listFindings));
