import { writeFileSync } from "node:fs";
import { MANIFEST_SCHEMA_FILE, manifestSchema } from "@/server/apply/manifest-schema";
import { readPages } from "@/server/docs/pages";
import { environmentExample } from "@/server/docs/settings";
import { withTables } from "@/server/docs/tables";
import { WEBHOOK_SCHEMA_FILE, webhookSchema } from "@/server/docs/webhook-schema";

for (const [path, text] of readPages()) {
  const written = withTables(text);
  if (written !== text) writeFileSync(path, written);
}
writeFileSync(".env.example", environmentExample());
writeFileSync(MANIFEST_SCHEMA_FILE, manifestSchema());
writeFileSync(WEBHOOK_SCHEMA_FILE, webhookSchema());
process.exit();
