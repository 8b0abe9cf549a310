import { writeFileSync } from "node:fs";
import { clientSource } from "@/lib/openapi/client-source";

writeFileSync("public/sealwatch.ts", clientSource());
