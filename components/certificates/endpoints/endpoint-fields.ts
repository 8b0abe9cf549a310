import { parseTarget } from "@/components/certificates/inventory/names";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { type AddressMode, type Protocol, usualPorts } from "@/lib/certificates/targets";

/** What of an endpoint can be set in its form. */
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
}

/** What stands in the form at first: the endpoint's settings, or the usual ones. */
export function fieldsOf(endpoint?: EditedEndpoint): EndpointFields {
  return {
    host: endpoint?.host ?? "",
    port: String(endpoint?.port ?? usualPorts.tls),
    sni: endpoint?.sni ?? "",
    protocol: endpoint?.protocol ?? "tls",
    connectTo: endpoint?.connect_to ?? "",
    addressMode: endpoint?.address_mode ?? "one",
    interval: String(endpoint?.interval_seconds ?? 3600),
    tags: endpoint?.tags.join(" ") ?? "",
    trustStoreId: endpoint?.trust_store_id ?? "",
  };
}

/** A pasted address takes its parts to both fields. */
export function takeApart(fields: EndpointFields): EndpointFields {
  const { host, port } = parseTarget(fields.host);
  return { ...fields, host, port: port === null ? fields.port : String(port) };
}

/** Another protocol brings its own port along, where the port was the usual one. */
export function withProtocol(fields: EndpointFields, protocol: Protocol): EndpointFields {
  const isUsual = fields.port === String(usualPorts[fields.protocol]);
  return { ...fields, protocol, port: isUsual ? String(usualPorts[protocol]) : fields.port };
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text;
}

/** What the API is sent. A number that is none is left to the API to refuse. */
export function sentOf(fields: EndpointFields) {
  const { host, port, sni, protocol, connectTo, addressMode, interval, tags, trustStoreId } = takeApart(fields);
  return {
    host,
    port: Number(port || Number.NaN),
    sni: orNull(sni),
    protocol,
    connect_to: orNull(connectTo),
    address_mode: addressMode,
    interval_seconds: Number(interval || Number.NaN),
    tags: tags.split(/[\s,]+/).filter((tag) => tag !== ""),
    trust_store_id: trustStoreId === "" ? null : trustStoreId,
  };
}
