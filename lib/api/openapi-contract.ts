import * as z from "zod";
import { endpoint } from "@/lib/http/endpoint";

export const getOpenApi = endpoint({
  method: "GET",
  path: "/openapi.json",
  action: "openapi.get",
  summary: "This document: OpenAPI 3.1, generated from the schemas that validate requests.",
  data: z.looseObject({ openapi: z.string() }),
  public: true,
  raw: true,
});
