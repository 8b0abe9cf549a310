import type { TlsOptions } from "node:tls";
import { plainExpectation } from "@/e2e/support/judged";
import { type Authority, makeAuthority, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveFiles, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { fetchMissingIssuers, makeIssuerSources } from "@/lib/certificates/check/fetch-missing-issuers";
import { findRefusals } from "@/lib/certificates/check/second-opinion";
import type { Finding } from "@/lib/certificates/findings";
import { type Expectation, judge } from "@/lib/certificates/judge/judge";
import type { Observations, Served } from "@/lib/certificates/probe/observation";
import { probe } from "@/lib/certificates/probe/probe";
import type { Target } from "@/lib/certificates/targets";
import { makePublicStore, makeTrustStore, type TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509/x509";
import { parseNetwork } from "@/lib/networks";

const allowedNetworks = [parseNetwork("127.0.0.0/8")];

/** How a server is looked at, where it differs from the usual. */
export interface Look {
  target?: Partial<Target>;
  resolve?: () => Promise<string[]>;
  expected?: Partial<Expectation>;
}

/** Real servers that are checked like endpoints, under one authority. */
export class Watched {
  private readonly testServers: TestServer[] = [];
  readonly trust: TrustStore;

  private constructor(
    readonly authority: Authority,
    /** Where it publishes its files. */
    readonly files: Awaited<ReturnType<typeof serveFiles>>,
  ) {
    this.trust = makeTrustStore(authority.root.pem);
    this.keep(files);
  }

  static async start(): Promise<Watched> {
    return new Watched(await makeAuthority("Watched"), await serveFiles());
  }

  keep<T extends TestServer>(testServer: T): T {
    this.testServers.push(testServer);
    return testServer;
  }

  /** A store in which the root is public, as in browsers. */
  publicStore(distrustAfter: Date | null = null): TrustStore {
    return makePublicStore([{ certificate: parsed(this.authority.root), distrustAfter }]);
  }

  /** Serves a chain, by default a leaf with the intermediate. */
  async serve(chain: TestCertificate[], options: TlsOptions = {}, staple?: Buffer): Promise<TestServer> {
    const served = chain.length === 1 ? [...chain, this.authority.intermediate] : chain;
    return this.keep(await serveTls(served, options, "127.0.0.1", staple));
  }

  /** Serves a leaf without its intermediate. */
  async serveAlone(leaf: TestCertificate): Promise<TestServer> {
    return this.keep(await serveTls([leaf]));
  }

  observe({ port }: Pick<TestServer, "port">, { target, resolve }: Look = {}): Promise<Observations> {
    const usual: Target = { host: "good.test", port, protocol: "tls", sni: null, connectTo: null, addressMode: "one" };
    const options = { allowedNetworks, resolve: resolve ?? (async () => ["127.0.0.1"]) };
    return probe({ ...usual, ...target }, options);
  }

  /** What a check of the server finds. */
  async check(testServer: Pick<TestServer, "port">, look: Look = {}): Promise<Finding[]> {
    return this.judge(await this.observe(testServer, look), look);
  }

  async judge(observations: Observations, { target, expected }: Look = {}): Promise<Finding[]> {
    const trust = expected?.trust ?? this.trust;
    const sources = makeIssuerSources(() => ({ allowedNetworks }));
    const learnt = await fetchMissingIssuers(observations, trust, sources);
    const refusals = await findRefusals(observations, trust);
    const usual = { ...plainExpectation(trust), protocol: target?.protocol ?? "tls", ...learnt, refusals };
    return judge(observations, { ...usual, ...expected });
  }

  /** Ends the servers, once no check has left a connection open. */
  async close(): Promise<void> {
    await until("every connection is closed", () => this.testServers.every(({ open }) => open() === 0));
    await Promise.all(this.testServers.map(({ close }) => close()));
  }
}

export const parsed = ({ der }: TestCertificate): Certificate => parseCertificate(der);

/** The first observation, which must have seen a certificate. */
export function servedIn([first]: Observations): Served {
  if (first.outcome === "failed") throw new Error(`no certificate was seen: ${first.failure.reason}`);
  return first;
}
