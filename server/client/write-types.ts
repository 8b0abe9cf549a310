import { writeFileSync } from "node:fs";
import { CLIENT_TYPES, clientTypes } from "@/server/client/client-types";

writeFileSync(CLIENT_TYPES, await clientTypes());
