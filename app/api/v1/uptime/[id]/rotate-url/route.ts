import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/uptime/contract";
import { rotateHeartbeatUrl } from "@/lib/uptime/monitors/rotate-url";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.rotateHeartbeatUrl, rotateHeartbeatUrl),
);
