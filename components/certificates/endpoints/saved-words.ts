import type { EditedEndpoint } from "@/components/certificates/endpoints/endpoint-fields";
import { endpointName } from "@/components/certificates/inventory/names";

/** What is meant as one: where the endpoint is. */
export const TARGET = ["host", "port", "sni", "protocol", "connect_to"] as const;

/** What is said of an endpoint that was saved; `before` is what its form began with. */
export function savedWords(before: EditedEndpoint, saved: EditedEndpoint): string {
  const isMoved = [...TARGET, "agent_id" as const].some((field) => saved[field] !== before[field]);
  const next = isMoved && saved.agent_id !== null ? " The agent will check it soon." : "";
  return `${endpointName(saved)} was saved.${next}`;
}
