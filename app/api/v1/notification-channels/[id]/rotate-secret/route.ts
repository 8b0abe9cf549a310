import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/notification-channels/contract";
import { rotateSigningSecret } from "@/lib/notification-channels/rotate-secret";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.rotateSigningSecret, rotateSigningSecret),
);
