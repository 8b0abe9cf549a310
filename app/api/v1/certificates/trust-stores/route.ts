import { door, route } from "@/lib/api/route";
import { createTrustStore } from "@/lib/certificates/create-trust-store";
import { listTrustStores } from "@/lib/certificates/list-trust-stores";
import * as contract from "@/lib/certificates/trust-store-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listTrustStores, listTrustStores),
  door(contract.createTrustStore, createTrustStore),
);
