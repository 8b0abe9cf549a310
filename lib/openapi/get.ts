import { jsonResponse } from "@/lib/api/respond";
import { once } from "@/lib/once";
import { openApiDocument } from "@/lib/openapi/document";

/** The OpenAPI document, the same for everyone. */
export async function getOpenApi(): Promise<Response> {
  return jsonResponse(200, once("openapi.document", openApiDocument));
}
