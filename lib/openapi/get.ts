import { jsonResponse } from "@/lib/api/respond";
import { config } from "@/lib/config";
import { openApiDocument } from "@/lib/openapi/document";
import { processSingleton } from "@/lib/process-singleton";

/** Returns the OpenAPI document, which is the same for all callers. */
export async function getOpenApi(): Promise<Response> {
  return jsonResponse(
    200,
    processSingleton("openapi.document", () => openApiDocument(config().PUBLIC_URL)),
  );
}
