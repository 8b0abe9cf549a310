import { handle, route } from "@/lib/api/route";
import { getPublicRoots } from "@/lib/certificates/trust-stores/get-public-roots";
import * as contract from "@/lib/certificates/trust-stores/trust-store-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getPublicRoots, getPublicRoots));
