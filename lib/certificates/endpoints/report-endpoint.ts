import { toResult } from "@/lib/certificates/check/check";
import { toObservation } from "@/lib/certificates/check/reported";
import type * as contract from "@/lib/certificates/contract";
import { readCertificateEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import { readEndpointToCheck } from "@/lib/certificates/record/endpoint-to-check";
import { recordResults } from "@/lib/certificates/record/record-results";
import { MAX_CHAIN } from "@/lib/certificates/targets";
import { readUploadedPem } from "@/lib/certificates/x509/uploaded-pem";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Accepts a report by a script behind the firewall as a check of its endpoint. Throws 400, 403, 404, 409. */
export async function reportCertificateEndpoint(
  principal: Principal,
  { id, pem }: Input<typeof contract.reportCertificateEndpoint>,
): Promise<Output<typeof contract.reportCertificateEndpoint>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const chain = readUploadedPem(pem, MAX_CHAIN);
  const endpoint = await readEndpointToCheck(organizationId, id);
  if (endpoint === null) throw notFound();
  if (!endpoint.reported)
    throw new ApiError(
      "CONFLICT",
      "Sealwatch connects to this endpoint itself. Set `reported` to true to accept reports instead.",
    );
  const result = await toResult(endpoint, toObservation(chain, new Date()));
  await recordResults([{ ...result, isRequested: true, isReport: true }]);
  return readCertificateEndpoint(organizationId, id);
}
