import * as z from "zod";
import { MAX_ADDRESSES, MAX_CHAIN, protocols } from "@/lib/certificates/targets";
import { endpoint, id, name, pageQuery, shownOnce, time } from "@/lib/http/endpoint";

/** Bounds of a report. Its body has the usual limit too. */
const MAX_RESULTS = 20;
/** Hours after its signature at which a report is refused, which limits replay. */
export const MAX_REPORT_AGE_HOURS = 24;

export const agent = z
  .strictObject({
    id,
    name: z.string(),
    api_key_id: id.describe("Its API key, with the scope `agent`."),
    version: z.string().nullable().describe("The release of the agent's program."),
    enrolled_at: time.nullable().describe("When it enrolled the key that it signs reports with; null until then."),
    last_seen_at: time.nullable().describe("When it last read its targets or reported."),
    silent_since: time
      .nullable()
      .describe("When it was last seen, if that is more than 15 minutes ago; its endpoints are then unreachable."),
    last_sequence: z.int().describe("The sequence number of its last report; 0 for none."),
    endpoint_count: z.int().describe("Number of endpoints that it checks."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "CertificateAgent" });

const agentWithSecret = agent
  .extend({ secret: shownOnce(z.string().describe("The secret of its API key, shown only once, in this response.")) })
  .meta({ id: "CertificateAgentWithSecret" });

export type Agent = z.output<typeof agent>;
export type AgentWithSecret = z.output<typeof agentWithSecret>;

export const listAgents = endpoint({
  method: "GET",
  path: "/certificates/agents",
  action: "certificate_agent.list",
  summary: "The organization's agents, newest first.",
  query: z.strictObject(pageQuery),
  data: agent,
  list: true,
});

export const createAgent = endpoint({
  method: "POST",
  path: "/certificates/agents",
  action: "certificate_agent.create",
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
  summary: "Creates an agent and an API key with the scope `agent`, which can act for this agent alone.",
  body: z.strictObject({ name }),
  data: agentWithSecret,
  status: 201,
});

export const getAgent = endpoint({
  method: "GET",
  path: "/certificates/agents/{id}",
  action: "certificate_agent.get",
  summary: "One agent.",
  data: agent,
});

export const deleteAgent = endpoint({
  method: "DELETE",
  path: "/certificates/agents/{id}",
  action: "certificate_agent.delete",
  errors: ["CONFLICT"],
  summary: "Deletes an agent that checks no endpoint, and revokes its API key.",
  data: agent,
});

export const replaceAgentCredentials = endpoint({
  method: "POST",
  path: "/certificates/agents/{id}/credentials",
  action: "certificate_agent.replace_credentials",
  errors: ["PLAN_LIMIT_REACHED"],
  summary:
    "Revokes the agent's API key, returns a new one, and lets the agent enroll another signing key, as after the loss of its state.",
  data: agentWithSecret,
});

const version = z
  .string()
  .regex(/^[0-9A-Za-z.+-]{1,50}$/, "must have 1 to 50 letters, digits or . + -")
  .describe("The release of the agent's program.");

export const enrollAgent = endpoint({
  method: "POST",
  path: "/certificates/agents/{id}/enrollment",
  action: "certificate_agent.enroll",
  summary:
    "Enrolls the key that the agent signs reports with. Enrolling the same key again changes nothing; another one is refused until the credentials are replaced.",
  body: z.strictObject({
    public_key: z.base64().length(44).describe("The 32 bytes of an Ed25519 public key in base64."),
    version,
  }),
  data: agent,
  errors: ["CONFLICT"],
});

export const listAgentTargets = endpoint({
  method: "GET",
  path: "/certificates/agents/{id}/targets",
  action: "certificate_agent.targets",
  summary: "The endpoints that the agent checks.",
  query: z.strictObject(pageQuery),
  data: z
    .strictObject({
      endpoint_id: id,
      version: z.int().describe("Number of changes of the target; results name it."),
      host: z.string(),
      port: z.int(),
      protocol: z.enum(protocols),
      sni: z.string().nullable(),
      connect_to: z.string().nullable(),
      address_mode: z.enum(["one", "all"]),
      interval_seconds: z.int(),
      due_at: time.describe("When to check it next."),
    })
    .meta({ id: "CertificateAgentTarget" }),
  list: true,
});

const timing = z.number().min(0).max(86_400_000).nullable();
const address = z.union([z.ipv4(), z.ipv6()]).nullable().describe("Null if no connection was attempted.");
const timings = z.strictObject({ dns_ms: timing, connect_ms: timing, tls_ms: timing });
const text = z.string().max(300, "must have at most 300 characters");

const served = z.strictObject({
  outcome: z.literal("served"),
  address,
  timings,
  protocol: text.nullable().describe("TLS version, as OpenSSL names it; null if there was no handshake."),
  cipher: text.nullable(),
  chain: z
    .array(z.base64().max(100_000, "must have at most 100000 characters"))
    .min(1, "must have at least one certificate")
    .max(MAX_CHAIN, `must have at most ${MAX_CHAIN} certificates`)
    .describe("The certificates in DER as base64, in the order served, starting with the leaf."),
});

const failed = z.strictObject({
  outcome: z.literal("failed"),
  address,
  timings,
  kind: z.enum(["dns_failure", "unreachable", "tls_handshake_failed"]).describe("The phase that failed."),
  reason: z.string().regex(/^[a-z_]{1,50}$/, "must have 1 to 50 small letters or _"),
  detail: text.nullable(),
});

const observation = z.discriminatedUnion("outcome", [served, failed]);
export type ReportedObservation = z.output<typeof observation>;

/** An RFC 3339 time in UTC; not transformed, because it is signed as sent. */
const signedTime = z.iso.datetime({ error: "must be an RFC 3339 time in UTC such as 2026-11-23T00:00:00.000Z" });

export const reportAsAgent = endpoint({
  method: "POST",
  path: "/certificates/agents/{id}/reports",
  action: "certificate_agent.report",
  errors: ["INVALID_SIGNATURE", "REPORT_EXPIRED", "REPORT_REPLAYED", "CONFLICT"],
  summary:
    "Reports what endpoints of the agent serve. They are judged like endpoints that Sealwatch checks itself. A report that is not newer than the last is refused.",
  body: z.strictObject({
    sequence: z.int().min(1).max(2_147_483_647).describe("Greater than that of every earlier report."),
    signed_at: signedTime.describe(`When the report was signed, at most ${MAX_REPORT_AGE_HOURS} hours ago.`),
    version,
    results: z
      .array(
        z.strictObject({
          endpoint_id: z.uuid(),
          version: z.int().describe("That of the target."),
          observed_at: signedTime,
          observations: z
            .array(observation)
            .min(1, "must have at least one observation")
            .max(MAX_ADDRESSES, `must have at most ${MAX_ADDRESSES} observations`)
            .describe("What one address served, or each address."),
        }),
      )
      .min(1, "must have at least one result")
      .max(MAX_RESULTS, `must have at most ${MAX_RESULTS} results`)
      .describe("At most one for each endpoint."),
    signature: z
      .base64()
      .length(88)
      .describe(
        "The Ed25519 signature in base64 of `sealwatch-agent-report`, a line feed, the agent's id, a line feed, and the canonical JSON (RFC 8785) of this body without `signature`.",
      ),
  }),
  data: z.strictObject({
    sequence: z.int(),
    recorded: z.int().describe("Number of results of endpoints that the agent checks."),
    skipped: z
      .int()
      .describe("Number of results of other endpoints, and of targets that have changed since the agent read them."),
  }),
});
