import { handle, route } from "@/lib/api/route";
import { getEndpointHistory } from "@/lib/certificates/endpoints/get-endpoint-history";
import * as contract from "@/lib/certificates/history-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getEndpointHistory, getEndpointHistory),
);
