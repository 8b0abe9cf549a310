import * as z from "zod";
import type { Shape } from "@/lib/destinations/kinds/kind";
import { parseHost } from "@/lib/network/host";

const host = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(255, "must have at most 255 characters")
  .superRefine((text, context) => {
    try {
      parseHost(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  });

/** Certificates or a key in PEM; whether they can be used shows the test. */
const pem = (what: "CERTIFICATE" | "PRIVATE KEY") =>
  z
    .string()
    .max(50_000, "must have at most 50,000 characters")
    .regex(new RegExp(`-----BEGIN (?:\\w+ )?${what}-----`), `must be in PEM, with BEGIN ${what}`);

export const syslogShape = {
  type: "syslog",
  label: "Syslog over TLS",
  settings: z.strictObject({
    host: host.describe("A host name or an address."),
    port: z.int().min(1).max(65_535).default(6514),
    ca_certificate: pem("CERTIFICATE")
      .nullable()
      .default(null)
      .describe("Certificates in PEM to trust instead of the public roots."),
    client_certificate: pem("CERTIFICATE")
      .nullable()
      .default(null)
      .describe("A certificate in PEM for receivers that require one, with the secret `client_key`."),
  }),
  secrets: z.strictObject({
    client_key: pem("PRIVATE KEY").nullable().default(null).describe("The key of the client certificate in PEM."),
  }),
  formats: ["sealwatch", "cef", "ocsf", "ecs"],
  addresses: ["host", "port"],
  describe: ({ host, port }: { host: string; port: number }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
} as const satisfies Shape;
