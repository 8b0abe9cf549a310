import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/history-contract";
import { listFindings } from "@/lib/certificates/list-findings";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.listFindings, listFindings));
