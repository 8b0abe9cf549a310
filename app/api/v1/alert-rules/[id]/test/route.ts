import * as contract from "@/lib/alert-rules/contract";
import { testAlertRule } from "@/lib/alert-rules/test-rule";
import { door, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(door(contract.testAlertRule, testAlertRule));
