import { door, route } from "@/lib/api/route";
import { deleteTrustStore } from "@/lib/certificates/trust-stores/delete-trust-store";
import { getTrustStore } from "@/lib/certificates/trust-stores/get-trust-store";
import * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { updateTrustStore } from "@/lib/certificates/trust-stores/update-trust-store";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getTrustStore, getTrustStore),
  door(contract.updateTrustStore, updateTrustStore),
  door(contract.deleteTrustStore, deleteTrustStore),
);
