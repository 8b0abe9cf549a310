import { handle, route } from "@/lib/api/route";
import { deleteTrustStore } from "@/lib/certificates/trust-stores/delete-trust-store";
import { getTrustStore } from "@/lib/certificates/trust-stores/get-trust-store";
import * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { updateTrustStore } from "@/lib/certificates/trust-stores/update-trust-store";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getTrustStore, getTrustStore),
  handle(contract.updateTrustStore, updateTrustStore),
  handle(contract.deleteTrustStore, deleteTrustStore),
);
