import { previewAlertRule } from "@/lib/alerts/evaluation/preview-rule";
import * as contract from "@/lib/alerts/rules/contract";
import { handle, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.previewAlertRule, previewAlertRule),
);
