import { jsonResponse } from "@/lib/api/respond";
import { openApiDocument } from "@/lib/openapi/document";
import { processSingleton } from "@/lib/process-singleton";

/** The OpenAPI document, the same for everyone. */
export async function getOpenApi(): Promise<Response> {
  return jsonResponse(200, processSingleton("openapi.document", openApiDocument));
}
