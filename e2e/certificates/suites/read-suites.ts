import { readFileSync } from "node:fs";
import * as z from "zod";
import { toPem } from "@/lib/certificates/x509/x509";

/** One case of a public suite: what a server would serve to a client, and whether the client must accept it. */
export interface SuiteCase {
  id: string;
  isValid: boolean;
  /** The name that the client connects to; null if the case has none. */
  name: string | null;
  at: Date;
  /** In PEM: the roots, and the served certificates, the leaf first. */
  roots: string[];
  served: string[];
  crls: string[];
}

/** https://github.com/C2SP/x509-limbo, `limbo-schema.json`: the part that is about servers. */
const limbo = z.object({
  testcases: z.array(
    z.object({
      id: z.string(),
      validation_kind: z.enum(["SERVER", "CLIENT"]),
      expected_result: z.enum(["SUCCESS", "FAILURE"]),
      expected_peer_name: z.object({ value: z.string() }).nullable(),
      validation_time: z.iso.datetime({ offset: true }).nullable(),
      max_chain_depth: z.number().nullable(),
      trusted_certs: z.array(z.string()),
      untrusted_intermediates: z.array(z.string()),
      peer_certificate: z.string(),
      crls: z.array(z.string()).default([]),
    }),
  ),
});

/** https://github.com/Netflix/bettertls, the output of `bettertls export-tests`. */
const bettertls = z.object({
  trustRoot: z.base64(),
  suites: z.record(
    z.string(),
    z.object({
      testCases: z.array(
        z.object({
          id: z.number(),
          hostname: z.string(),
          certificates: z.array(z.base64()).min(1),
          expected: z.enum(["ACCEPT", "REJECT"]),
        }),
      ),
    }),
  ),
});

const fromBase64 = (text: string) => toPem(Buffer.from(text, "base64"));

/** The cases of a file of either suite. Throws ZodError for another file. */
export function readSuites(path: string): SuiteCase[] {
  const content: unknown = JSON.parse(readFileSync(path, "utf8"));
  const ofBettertls = bettertls.safeParse(content);
  if (ofBettertls.success) {
    const { trustRoot, suites } = ofBettertls.data;
    return Object.entries(suites).flatMap(([suite, { testCases }]) =>
      testCases.map(({ id, hostname, certificates, expected }) => ({
        id: `bettertls::${suite}::${id}`,
        isValid: expected === "ACCEPT",
        name: hostname,
        at: new Date(),
        roots: [fromBase64(trustRoot)],
        served: certificates.map(fromBase64),
        crls: [],
      })),
    );
  }
  // A client's own limit of the chain's length is not a property of what a server serves.
  return limbo
    .parse(content)
    .testcases.filter(
      ({ validation_kind, max_chain_depth }) => validation_kind === "SERVER" && max_chain_depth === null,
    )
    .map((each) => ({
      id: each.id,
      isValid: each.expected_result === "SUCCESS",
      name: each.expected_peer_name?.value ?? null,
      at: each.validation_time === null ? new Date() : new Date(each.validation_time),
      roots: each.trusted_certs,
      served: [each.peer_certificate, ...each.untrusted_intermediates],
      crls: each.crls,
    }));
}
