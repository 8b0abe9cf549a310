import type { Endpoint } from "@/lib/http/endpoint";

/** What a manifest declares, in the order in which it is created: a rule names channels. */
export const kinds = ["notification_channels", "endpoints", "monitors", "alert_rules", "api_keys"] as const;
export type Kind = (typeof kinds)[number];

/** What people call one resource of a kind. */
export const kindLabels: Readonly<Record<Kind, string>> = {
  notification_channels: "channel",
  endpoints: "endpoint",
  monitors: "monitor",
  alert_rules: "rule",
  api_keys: "key",
};

/** The path of each kind's list under `/api/v1`. */
export const kindPaths: Readonly<Record<Kind, Endpoint["path"]>> = {
  notification_channels: "/notification-channels",
  endpoints: "/certificates/endpoints",
  monitors: "/uptime",
  alert_rules: "/alert-rules",
  api_keys: "/api-keys",
};

export type Fields = Readonly<Record<string, unknown>>;

/** A resource that the manifest declares. */
export interface Wanted {
  kind: Kind;
  /** Its identity among the resources of its kind. */
  key: string;
  /** What people call it. */
  name: string;
  /** Its place in the manifest: `monitors`, `3`. */
  path: readonly (string | number)[];
  /** What its identity consists of, as the API accepts it. */
  identity: Fields;
  /** What is compared. References are names. A field that is not here stays as it is. */
  fields: Fields;
  /** Values that the API accepts and never returns, as it accepts them; null for none. */
  secrets: Fields | null;
}

/** A resource that the organization has, with the same fields. */
export interface Present {
  kind: Kind;
  id: string;
  key: string;
  name: string;
  fields: Fields;
}

/** Names for the ids of what resources refer to. */
export interface References {
  trustStores: ReadonlyMap<string, string>;
  agents: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
}

/** What is wrong in a manifest, and where. */
export interface ManifestIssue {
  path: readonly (string | number)[];
  message: string;
}
