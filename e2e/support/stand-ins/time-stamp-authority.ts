import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readAll, readDer } from "@/lib/der";
import { stampReply, unsignedToken } from "@/server/testing/sealed-log/test-stamp";

const run = promisify(execFile);

/** An authority for time stamps (RFC 3161) on loopback. */
export interface TimeStampAuthority {
  url: string;
  /** The number of requests so far. */
  asked: number;
  /** How the next requests are answered: with a stamp, not at all, with a refusal, or with a stamp over another text. */
  answer: "stamp" | "hang" | "refuse" | "other";
  /** The certificate of the authority; null without `openssl`, whose stamps are not signed. */
  certificate: string | null;
  close: () => void;
}

type Sign = (query: Buffer) => Promise<Buffer>;

/** Starts one: with `isSigning`, `openssl` makes the stamps. */
export async function startTimeStampAuthority(isSigning = false): Promise<TimeStampAuthority> {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-tsa-"));
  const sign = isSigning ? await openssl(folder) : unsigned;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    authority.asked += 1;
    if (authority.answer === "hang") return;
    response.setHeader("content-type", "application/timestamp-reply");
    const query = Buffer.concat(chunks);
    if (authority.answer === "refuse") response.end(stampReply(2));
    else response.end(authority.answer === "other" ? other(query) : await sign(query));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const authority: TimeStampAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    asked: 0,
    answer: "stamp",
    certificate: isSigning ? join(folder, "tsa.pem") : null,
    close: () => {
      server.close().closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
  return authority;
}

/** The parts of a request: the imprint and the nonce. */
function partsOf(query: Buffer) {
  const [, imprint, nonce] = readAll(readDer(query).element.content);
  if (imprint === undefined || nonce === undefined) throw new Error("a request has an imprint and a nonce");
  return { imprint: imprint.raw, nonce: nonce.content };
}

const unsigned: Sign = async (query) => {
  const { imprint, nonce } = partsOf(query);
  return stampReply(0, unsignedToken(imprint, Date.now(), nonce));
};

function other(query: Buffer): Buffer {
  return stampReply(0, unsignedToken("another text", Date.now(), partsOf(query).nonce));
}

const CONFIG = `[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
`;

async function openssl(cwd: string): Promise<Sign> {
  writeFileSync(join(cwd, "tsa.cnf"), CONFIG);
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "tsa.key"];
  const extension = ["-addext", "extendedKeyUsage=critical,timeStamping"];
  await run("openssl", ["req", "-x509", ...key, "-out", "tsa.pem", "-subj", "/CN=Authority", ...extension], { cwd });
  return async (query) => {
    writeFileSync(join(cwd, "query.tsq"), query);
    const files = ["-config", "tsa.cnf", "-queryfile", "query.tsq", "-out", "reply.tsr"];
    await run("openssl", ["ts", "-reply", ...files], { cwd });
    return readFileSync(join(cwd, "reply.tsr"));
  };
}
