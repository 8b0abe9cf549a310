import * as z from "zod";
import { pemText } from "@/lib/certificates/contract";
import { endpoint, id, name, pageQuery, time } from "@/lib/http/endpoint";

const isDefault = z
  .boolean()
  .describe("Whether new endpoints use it if they name no trust store. An organization has at most one such store.");

export const trustStore = z
  .strictObject({
    id,
    name: z.string(),
    is_default: isDefault,
    certificates: z.array(
      z.strictObject({
        subject: z.string(),
        sha256: z.string(),
        not_before: time,
        not_after: time,
      }),
    ),
    endpoint_count: z.int().describe("Number of endpoints that use it."),
    monitor_count: z.int().describe("Number of https monitors that use it."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "CertificateTrustStore" });

const trustStoreDetail = trustStore
  .extend({ pem: z.string().describe("The uploaded certificates, without any surrounding text.") })
  .meta({ id: "CertificateTrustStoreDetail" });

export type TrustStore = z.output<typeof trustStore>;
export type TrustStoreDetail = z.output<typeof trustStoreDetail>;

const pem = pemText.describe("Up to 100 certificates in PEM to trust in addition to the public roots.");

export const listTrustStores = endpoint({
  method: "GET",
  path: "/certificates/trust-stores",
  action: "certificate_trust_store.list",
  summary: "The organization's trust stores, newest first.",
  query: z.strictObject(pageQuery),
  data: trustStore,
  list: true,
});

/** Maximum number of trust stores of an organization. */
export const MAX_TRUST_STORES = 100;

export const createTrustStore = endpoint({
  method: "POST",
  path: "/certificates/trust-stores",
  action: "certificate_trust_store.create",
  summary: `Creates a trust store: certificates that endpoints and monitors may trust in addition to the public roots. An organization can have ${MAX_TRUST_STORES}: 409 beyond that, or if the name is taken.`,
  body: z.strictObject({ name, pem, is_default: isDefault.default(false) }),
  data: trustStoreDetail,
  status: 201,
  errors: ["CONFLICT"],
});

export const getTrustStore = endpoint({
  method: "GET",
  path: "/certificates/trust-stores/{id}",
  action: "certificate_trust_store.get",
  summary: "One trust store with its PEM.",
  data: trustStoreDetail,
});

export const updateTrustStore = endpoint({
  method: "PUT",
  path: "/certificates/trust-stores/{id}",
  action: "certificate_trust_store.update",
  summary: "Changes the given fields; the others stay. The worker checks its endpoints and monitors again soon.",
  body: z.strictObject({ name: name.optional(), pem: pem.optional(), is_default: isDefault.optional() }),
  data: trustStoreDetail,
  errors: ["CONFLICT"],
});

export const deleteTrustStore = endpoint({
  method: "DELETE",
  path: "/certificates/trust-stores/{id}",
  action: "certificate_trust_store.delete",
  errors: ["CONFLICT"],
  summary: "Deletes a trust store that no endpoint or monitor uses.",
  data: trustStoreDetail,
});

export const getPublicRoots = endpoint({
  method: "GET",
  path: "/certificates/public-roots",
  action: "certificate_public_roots.get",
  summary: "Which public roots endpoints are judged against, in addition to their trust stores.",
  data: z.strictObject({
    source: z
      .enum(["nodejs", "file"])
      .describe("`nodejs`: Mozilla's roots as Node.js includes them; `file`: the operator's."),
    nodejs_version: z.string().nullable().describe("The release of Node.js that includes them; null for a file."),
    count: z.int().describe("Number of roots."),
    distrusted_count: z
      .int()
      .describe(
        "Number of roots with a date after which browsers distrust what they issue. Only `certdata.txt` has dates.",
      ),
  }),
});
