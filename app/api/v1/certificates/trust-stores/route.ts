import { handle, route } from "@/lib/api/route";
import { createTrustStore } from "@/lib/certificates/trust-stores/create-trust-store";
import { listTrustStores } from "@/lib/certificates/trust-stores/list-trust-stores";
import * as contract from "@/lib/certificates/trust-stores/trust-store-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listTrustStores, listTrustStores),
  handle(contract.createTrustStore, createTrustStore),
);
