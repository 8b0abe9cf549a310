import * as contract from "@/lib/anchors/contract";
import { getAnchors } from "@/lib/anchors/get";
import { setAnchors } from "@/lib/anchors/set";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getAnchors, getAnchors),
  handle(contract.setAnchors, setAnchors),
);
