"use client";

import { EndpointForm } from "@/components/certificates/endpoints/endpoint-form";
import { ProbeResult } from "@/components/certificates/endpoints/probe-result";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";

/** The content of the dialog for a new endpoint: the form, then the result of the first check. */
export function AddEndpointSteps({
  added,
  onAdded,
  onMore,
  onClose,
}: {
  added: CertificateEndpointDetail | null;
  onAdded: (endpoint: CertificateEndpointDetail) => void;
  onMore: () => void;
  onClose: () => void;
}) {
  if (added) return <ProbeResult endpoint={added} onMore={onMore} />;
  return <EndpointForm onSaved={onAdded} onCancel={onClose} />;
}
