import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/test-certificates";

/** How the API answers an error (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/). */
const status = (code: number, reason: string) => ({
  ...{ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" },
  ...{ message: reason, reason, code },
});

const SECRET = /^\/api\/v1\/namespaces\/([a-z0-9-]+)\/secrets\/([a-z0-9.-]+)$/;

/** A cluster's API server on loopback, as far as reading single secrets goes, with the service account of a pod. */
export class Kubernetes {
  /** Secrets that the account may get, by `namespace/name`; null where it may get one that does not exist. */
  readonly secrets = new Map<string, Record<string, string> | null>();
  readonly asked: { url: string; token: string | undefined; status: number }[] = [];
  /** Answers with this error instead, as while the API server is overloaded or upgraded. */
  failing: { code: number; reason: string } | null = null;
  /** A projected volume: its files are links that are swapped at once. */
  readonly account = mkdtempSync(join(tmpdir(), "sealwatch-account-"));
  private token = "";
  private generation = 0;
  private server: Server | undefined;
  private port = 0;

  static async start(): Promise<Kubernetes> {
    const cluster = new Kubernetes();
    for (const name of ["token", "ca.crt"]) symlinkSync(join("..data", name), join(cluster.account, name));
    await cluster.renew();
    return cluster;
  }

  /** What the cluster sets in every pod. */
  get env(): Record<string, string> {
    return { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: String(this.port) };
  }

  /** Rotates the token, which the kubelet writes into the pod's volume; with `authority` the cluster's authority as well. */
  async renew(authority?: Authority): Promise<void> {
    const next = authority ?? (this.server === undefined ? await makeAuthority("Cluster") : undefined);
    this.token = `token-${++this.generation}`;
    if (next !== undefined) await this.serve(next);
    const folder = `..${this.generation}`;
    mkdirSync(join(this.account, folder));
    writeFileSync(join(this.account, folder, "token"), this.token);
    writeFileSync(join(this.account, folder, "ca.crt"), this.ca);
    symlinkSync(folder, join(this.account, "..next"));
    renameSync(join(this.account, "..next"), join(this.account, "..data"));
  }

  private ca = "";

  private async serve({ leaf, intermediate, root }: Authority): Promise<void> {
    const own = await leaf({ name: "kubernetes", sans: ["kubernetes.default.svc", "127.0.0.1"] });
    await this.stop();
    this.ca = root.pem;
    const server = createServer({ key: own.keyPem, cert: own.pem + intermediate.pem }, (request, response) => {
      const [scheme, token] = (request.headers.authorization ?? "").split(" ");
      const [code, body] = this.answer(request.method, request.url ?? "", scheme === "Bearer" ? token : undefined);
      this.asked.push({ url: request.url ?? "", token, status: code });
      send(response, code, body);
    });
    await new Promise<void>((ready) => server.listen(this.port, "127.0.0.1", ready));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  private answer(method: string | undefined, url: string, token: string | undefined): [number, object] {
    if (token !== this.token) return [401, status(401, "Unauthorized")];
    if (this.failing !== null) return [this.failing.code, status(this.failing.code, this.failing.reason)];
    const [, namespace = "", name = ""] = SECRET.exec(url) ?? [];
    const data = this.secrets.get(`${namespace}/${name}`);
    // Only `get` is granted: a list or a watch is refused like the secret of another namespace.
    if (method !== "GET" || data === undefined) return [403, status(403, "Forbidden")];
    if (data === null) return [404, status(404, "NotFound")];
    const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
    const metadata = { name, namespace, resourceVersion: String(this.asked.length + 1), managedFields: [] };
    const type = "kubernetes.io/tls";
    return [200, { kind: "Secret", apiVersion: "v1", metadata, data: Object.fromEntries(encoded), type }];
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

/** In chunks of a few bytes, as no length is known before. */
function send(response: ServerResponse, code: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(code, { "content-type": "application/json" });
  for (let at = 0; at < text.length; at += 500) response.write(text.slice(at, at + 500));
  response.end("\n");
}
