import * as z from "zod";
import { time, WRITE_ONLY } from "@/lib/http/endpoint";
import { serverChecks } from "@/lib/uptime/server-checks";

const authenticationTypes = ["none", "basic", "bearer", "client_certificate"] as const;
export type AuthenticationType = (typeof authenticationTypes)[number];

const pem = (most: number) => z.string().max(most, `must have at most ${most} characters`);
const upTo2000 = z.string().max(2000, "must have at most 2000 characters");

/** A client certificate with its key, both in PEM. */
export interface ClientCertificate {
  certificate: string;
  private_key: string;
}

/** How a monitor says who it is. */
export const authentication = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("none") }),
    z.strictObject({
      type: z.literal("basic"),
      username: upTo2000.regex(/^[^:\p{Cc}]+$/u, "must have a character, and neither colons nor control characters"),
      password: upTo2000.regex(/^\P{Cc}+$/u, "must have a character, and no control characters"),
    }),
    z.strictObject({
      type: z.literal("bearer"),
      token: z.string().regex(/^[\x21-\x7e]{1,4000}$/, "must have 1 to 4000 visible ASCII characters"),
    }),
    z
      .strictObject({
        type: z.literal("client_certificate"),
        certificate: pem(32_768).describe("PEM: the certificate, then the certificates of its chain, at most 10."),
        private_key: pem(16_384).describe("PEM, not encrypted. The key of the first certificate."),
      })
      .superRefine((given, context) => {
        for (const { path, message } of serverChecks().clientCertificate(given)) {
          context.addIssue({ code: "custom", path: [path], message });
        }
      }),
  ])
  .describe(
    `How checks authenticate, at the target's origin only. \`basic\` and \`bearer\` (http only) set the header Authorization; \`client_certificate\` (https, and tcp with \`tls\`) answers a server that asks for a certificate. Passwords, tokens and keys: ${WRITE_ONLY}`,
  );
export type Authentication = z.output<typeof authentication>;

/** The fields of an authentication that are not secret. */
export const shownAuthentication = z
  .strictObject({
    type: z.enum(authenticationTypes),
    username: z.string().nullable().describe("basic only."),
    certificate: z
      .strictObject({
        subject: z.string(),
        sha256: z.string().describe("Its fingerprint."),
        not_before: time,
        not_after: time.describe("An expired certificate is accepted, but servers may refuse it."),
      })
      .nullable()
      .describe("client_certificate only."),
  })
  .meta({ id: "MonitorAuthentication" });
export type ShownAuthentication = z.output<typeof shownAuthentication>;

interface Authenticating {
  type: string;
  target: string;
  headers: Record<string, string>;
  tcp: { tls: boolean } | null;
}

/** An issue if the type of monitor cannot authenticate so; null if it can. */
export function authenticationFault(
  { type, target, headers, tcp }: Authenticating,
  { type: how }: Authentication,
): { path: "authentication" | "headers"; message: string } | null {
  if (how === "none") return null;
  if (how === "client_certificate") {
    const isTls = type === "http" ? /^https:/i.test(target) : (tcp?.tls ?? false);
    return isTls
      ? null
      : { path: "authentication", message: "must have an https target, or tls, for a client certificate" };
  }
  if (type !== "http") return { path: "authentication", message: `must be none, because ${how} is only for http` };
  const isTwice = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  return isTwice ? { path: "headers", message: "must not have Authorization, which authentication sets" } : null;
}
