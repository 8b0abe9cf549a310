import * as z from "zod";
import { certificateFilters, endpointFilters } from "@/lib/certificates/filter-fields";
import { endpoint } from "@/lib/http/endpoint";
import { csvBom } from "@/lib/http/schemas/csv-bom";

const downloadFormats = ["pem", "chain", "der"] as const;
const exportFormats = ["csv", "json"] as const;

export const downloadCertificate = endpoint({
  method: "GET",
  path: "/certificates/{id}/download",
  action: "certificate.download",
  summary: "A certificate as a file: `pem`, `der`, or `chain` (PEM with the issuers to serve).",
  query: z.strictObject({ format: z.enum(downloadFormats).default("pem") }),
  data: z.unknown(),
  raw: true,
  media: ["application/x-pem-file", "application/pkix-cert"],
});

export const exportCertificates = endpoint({
  method: "GET",
  path: "/certificates/export",
  action: "certificate.export",
  summary: "Exports all matching certificates as a file, most recently discovered first.",
  query: z.strictObject({ format: z.enum(exportFormats), bom: csvBom, ...certificateFilters }),
  data: z.unknown(),
  raw: true,
  media: ["text/csv", "application/json"],
});

export const exportCertificateEndpoints = endpoint({
  method: "GET",
  path: "/certificates/endpoints/export",
  action: "certificate_endpoint.export",
  summary: "Exports all matching endpoints as a file, newest first. The CSV can be imported again.",
  query: z.strictObject({ format: z.enum(exportFormats), bom: csvBom, ...endpointFilters }),
  data: z.unknown(),
  raw: true,
  media: ["text/csv", "application/json"],
});
