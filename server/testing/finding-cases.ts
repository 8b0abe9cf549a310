import type { Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { makeOcspResponse, type OcspResponseOptions } from "@/e2e/support/stand-ins/ocsp";
import { type CertificateOptions, makeCrl, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTcp } from "@/e2e/support/stand-ins/test-servers";
import type { Finding, FindingCode } from "@/lib/certificates/findings";
import { judgeAlternation, type LeafSeries, nextSeries } from "@/lib/certificates/judge/judge-alternation";
import { withScan } from "@/lib/certificates/scan/judge-scan";
import { scan } from "@/lib/certificates/scan/scan";
import { chainCases } from "@/server/testing/chain-cases";
import { knowledgeCases } from "@/server/testing/knowledge-cases";
import { servedIn, type Watched } from "@/server/testing/watched-server";

export type Case = (world: Watched) => Promise<Finding[]>;

/** Of each code something that has the finding, and its good twin, which has not. The compiler misses a code without an entry. */
export type FindingCases = Record<FindingCode, { bad: Case; good: Case }>;

const MUST_STAPLE = { extensions: [{ oid: "1.3.6.1.5.5.7.1.24", hex: "3003020105" }] };

/** A leaf with such a staple. */
const stapling =
  (overrides: Partial<CertificateOptions>, staple: Partial<OcspResponseOptions> | null): Case =>
  async (world) => {
    const { authority } = world;
    const about = await authority.leaf({ ocspUrl: "http://ocsp.test", ...overrides });
    const response = staple && makeOcspResponse({ about, issuer: authority.intermediate, ...staple });
    return world.check(await world.serve([about], {}, response ?? undefined));
  };

/** A leaf with a revocation list: with it on it, without it, or missing. */
const listing =
  (list: "revoking" | "empty" | "missing"): Case =>
  async (world) => {
    const { authority, files } = world;
    const path = `/${list}.crl`;
    const made = await authority.leaf({ crlUrls: [files.url(path)] });
    const revoked = list === "revoking" ? [{ made }] : [];
    if (list !== "missing") files.files.set(path, await makeCrl({ issuer: authority.intermediate, revoked }));
    return world.check(await world.serve([made]));
  };

/** A server whose connections get these certificates in turn, checked five times. */
const inTurn =
  (count: number): Case =>
  async (world) => {
    const leaves = await Promise.all(Array.from({ length: count }, () => world.authority.leaf()));
    let connections = 0;
    const testServer = world.keep(
      await serveTcp((socket) => upgrade(world, socket, leaves[connections++ % count] as TestCertificate)),
    );
    let series: LeafSeries | null = null;
    let findings: Finding[] = [];
    let last: Parameters<typeof nextSeries>[1] = null;
    for (let check = 0; check < 5; check++) {
      const observations = await world.observe(testServer);
      const { sha256, notAfter } = servedIn(observations).chain[0];
      const found = await world.judge(observations);
      const seen = { id: sha256, sha256, not_after: notAfter.toISOString(), findings: found };
      series = nextSeries(series, last, seen);
      last = seen;
      findings = judgeAlternation(found, series, "127.0.0.1");
    }
    return findings;
  };

/** Starts TLS on a connection after a plaintext dialogue. */
function upgrade({ authority }: Watched, socket: Socket, leaf: TestCertificate): void {
  socket.removeAllListeners("data");
  const secureContext = createSecureContext({ key: leaf.keyPem, cert: leaf.pem + authority.intermediate.pem });
  new TLSSocket(socket, { isServer: true, secureContext }).on("error", () => {}).resume();
}

/** A mail server. */
const mail =
  (offered: string): Case =>
  async (world) => {
    const leaf = await world.authority.leaf();
    const testServer = await serveTcp((socket) => {
      socket.write("220 mail.test ESMTP\r\n");
      socket.on("data", (bytes) => {
        const isStart = String(bytes).startsWith("STARTTLS");
        socket.write(isStart ? "220 go ahead\r\n" : `250 ${offered}\r\n`);
        if (isStart) upgrade(world, socket, leaf);
      });
    });
    return world.check(world.keep(testServer), { target: { protocol: "smtp" } });
  };

/** What a check with a scan finds. */
const scanning =
  (ciphers?: string): Case =>
  async (world) => {
    const options = ciphers === undefined ? {} : { ciphers, maxVersion: "TLSv1.2" as const };
    const testServer = await world.serve([await world.authority.leaf({ key: "RSA-2048" })], options);
    const observations = await world.observe(testServer);
    const served = servedIn(observations);
    const target = { host: "good.test", port: testServer.port, protocol: "tls", sni: null, connectTo: null } as const;
    const { taken } = await scan({ ...target, addressMode: "one" }, { ...served, address: "127.0.0.1" });
    const shown = { at: new Date().toISOString(), address: "127.0.0.1", ...taken, certificates: [] };
    return withScan(await world.judge(observations), { shown, findings: {} }, served.chain[0].sha256);
  };

/** The same server at one or two addresses, of which the second does not answer. */
const at =
  (addresses: string[]): Case =>
  async (world) => {
    const testServer = await world.serve([await world.authority.leaf()]);
    return world.check(testServer, { target: { addressMode: "all" }, resolve: async () => addresses });
  };

const good: Case = async (world) => world.check(await world.serve([await world.authority.leaf()]));

/** Everything but `issuance_unauthorized`, which is a finding of certificate transparency and needs the database. */
export const findingCases: Omit<FindingCases, "issuance_unauthorized"> = {
  ...chainCases,
  ...knowledgeCases,
  unreachable: { bad: async (world) => world.check({ port: await closedPort() }), good },
  dns_failure: {
    bad: async (world) => world.check({ port: 1 }, { resolve: async () => [] }),
    good,
  },
  starttls_unsupported: { bad: mail("mail.test"), good: mail("STARTTLS") },
  tls_handshake_failed: {
    bad: async (world) =>
      world.check(world.keep(await serveTcp((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")))),
    good,
  },
  revoked: { bad: listing("revoking"), good: listing("empty") },
  revocation_unknown: { bad: listing("missing"), good: listing("empty") },
  ocsp_staple_invalid: { bad: stapling({}, { fromHours: -48, untilHours: -24 }), good: stapling({}, {}) },
  ocsp_staple_missing: { bad: stapling(MUST_STAPLE, null), good: stapling(MUST_STAPLE, {}) },
  chain_incomplete: {
    bad: async (world) => {
      const { authority, files } = world;
      files.files.set("/issuer.cer", authority.intermediate.der);
      const leaf = await authority.leaf({ issuerUrl: files.url("/issuer.cer") });
      return world.check(await world.serveAlone(leaf));
    },
    good,
  },
  legacy_protocol: {
    bad: async (world) => {
      const options = { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
      return world.check(await world.serve([await world.authority.leaf()], options));
    },
    good,
  },
  weak_cipher: { bad: scanning("AES128-SHA:@SECLEVEL=0"), good: scanning() },
  address_divergence: { bad: at(["127.0.0.1", "127.0.0.2"]), good: at(["127.0.0.1"]) },
  certificates_alternate: { bad: inTurn(2), good: inTurn(1) },
};
