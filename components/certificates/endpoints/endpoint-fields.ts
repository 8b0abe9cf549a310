import { parseTarget } from "@/components/certificates/inventory/names";
import {
  type RenewalFields,
  renewalFieldsOf,
  sentRenewal,
} from "@/components/certificates/renewals/renewal-form-fields";
import { sentNumber } from "@/components/requests/sent-number";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { type AddressMode, type Protocol, usualPorts } from "@/lib/certificates/targets";

/** The settings of an endpoint that its form can change. */
export type EditedEndpoint = Pick<
  CertificateEndpoint,
  | "id"
  | "host"
  | "port"
  | "sni"
  | "protocol"
  | "connect_to"
  | "address_mode"
  | "interval_seconds"
  | "tags"
  | "trust_store_id"
  | "agent_id"
  | "owner"
  | "renewal_method"
  | "renewal_note"
  | "renewal_link"
>;

/** The form's controls, as typed. */
export interface EndpointFields {
  host: string;
  port: string;
  sni: string;
  protocol: Protocol;
  connectTo: string;
  addressMode: AddressMode;
  interval: string;
  tags: string;
  trustStoreId: string;
  /** Empty for Sealwatch itself. */
  agentId: string;
  renewal: RenewalFields;
}

/** The choice of a new endpoint: the organization's default trust store, if any. */
export const DEFAULT_TRUST = "default";

/** The initial values of the form: the endpoint's settings, or the defaults. */
export function fieldsOf(endpoint?: EditedEndpoint): EndpointFields {
  return {
    host: endpoint?.host ?? "",
    port: String(endpoint?.port ?? usualPorts.tls),
    sni: endpoint?.sni ?? "",
    protocol: endpoint?.protocol ?? "tls",
    connectTo: endpoint?.connect_to ?? "",
    addressMode: endpoint?.address_mode ?? "one",
    interval: String(endpoint?.interval_seconds ?? 3600),
    tags: endpoint?.tags.join(", ") ?? "",
    trustStoreId: endpoint ? (endpoint.trust_store_id ?? "") : DEFAULT_TRUST,
    agentId: endpoint?.agent_id ?? "",
    renewal: renewalFieldsOf(endpoint),
  };
}

/** Splits a pasted URL or `host:port` into both fields. */
export function takeApart(fields: EndpointFields): EndpointFields {
  const { host, port } = parseTarget(fields.host);
  return { ...fields, host, port: port === null ? fields.port : String(port) };
}

/** Changes the protocol, and the port with it if it was the default of the previous protocol. */
export function withProtocol(fields: EndpointFields, protocol: Protocol): EndpointFields {
  const isUsual = fields.port === String(usualPorts[fields.protocol]);
  return { ...fields, protocol, port: isUsual ? String(usualPorts[protocol]) : fields.port };
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text;
}

/** The body for the API. */
export function sentOf(fields: EndpointFields) {
  const { host, port, sni, protocol, connectTo, addressMode, interval, tags, trustStoreId, agentId, renewal } =
    takeApart(fields);
  return {
    host,
    port: sentNumber(port),
    sni: orNull(sni),
    protocol,
    connect_to: orNull(connectTo),
    address_mode: addressMode,
    interval_seconds: sentNumber(interval),
    tags: tags.split(/[\s,]+/).filter((tag) => tag !== ""),
    agent_id: orNull(agentId),
    ...sentRenewal(renewal),
    ...(trustStoreId !== DEFAULT_TRUST && { trust_store_id: trustStoreId === "" ? null : trustStoreId }),
  };
}
