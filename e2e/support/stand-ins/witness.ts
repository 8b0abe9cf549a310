import { randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseAddCheckpoint } from "@/lib/sealed-log/add-checkpoint";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { privateKeyOf } from "@/lib/sealed-log/ed25519";
import { cosign, formatNote, parseNote, verifyNote } from "@/lib/sealed-log/note";
import { type Head, verifyConsistency } from "@/lib/sealed-log/proofs";
import { EMPTY_ROOT } from "@/lib/sealed-log/tree";
import { COSIGNATURE, formatVkey, parseVkey, type VerifierKey, verifierKeyOf } from "@/lib/sealed-log/vkey";

/** How a witness answers. */
export type WitnessAnswer =
  | "cosign"
  | "cosign unseen"
  | "lose the answer"
  | "hang"
  | "cut"
  | "rubbish"
  | "too long"
  | "another key"
  | "another text"
  | "another time"
  | "relabelled"
  | "a size that never fits"
  | "a larger size"
  | 403
  | 404
  | 422
  | 429;

/** A witness on loopback that follows C2SP tlog-witness for one log, unless it is told to answer otherwise. */
export interface StandInWitness {
  name: string;
  url: string;
  vkey: string;
  answer: WitnessAnswer;
  /** The number of requests so far. */
  asked: number;
  /** Cuts the connections of the requests that hang. */
  release: () => void;
  close: () => void;
}

/** Starts one for the log with this verifier key; without one, it can only cosign unseen. */
export async function startWitness(name: string, log?: string): Promise<StandInWitness> {
  const key = privateKeyOf(randomBytes(32));
  const verifier = verifierKeyOf(name, key, COSIGNATURE);
  let last: Head = { size: 0, root: EMPTY_ROOT };
  const hanging = new Set<ServerResponse>();
  /** The status and the text of its answer to a request. */
  const judge = (body: string): [number, string] => {
    const { old, proof, note } = parseAddCheckpoint(body);
    const parsed = parseNote(note);
    if (log === undefined || verifyNote(parsed, [parseVkey(log)]).length === 0) return [403, ""];
    const head = parseCheckpoint(parsed.text);
    if (old !== last.size) return [409, `${last.size}\n`];
    if (!verifyConsistency(last, head, proof)) return [422, ""];
    last = head;
    return [200, lineOf(parsed.text, Math.floor(Date.now() / 1000))];
  };
  const lineOf = (text: string, time: number, signer = key, as: VerifierKey = verifier) =>
    formatNote({ text: "", signatures: [cosign(text, time, signer, as)] }).replace(/^\n/, "");
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    witness.asked += 1;
    const body = Buffer.concat(chunks).toString("utf8");
    const { answer } = witness;
    if (request.url !== "/prefix/add-checkpoint" || request.method !== "POST") return send(response, 500, "");
    if (answer === "cosign" || answer === "lose the answer") {
      const [status, text] = judge(body);
      return answer === "cosign" ? send(response, status, text) : response.destroy();
    }
    if (answer === "hang") return void hanging.add(response);
    if (answer === "cut") {
      response.writeHead(200, { "content-length": "200" }).write("— witness");
      return response.destroy();
    }
    if (answer === "a larger size") return send(response, 409, "1000000\n");
    if (answer === "a size that never fits")
      return send(response, 409, `${parseAddCheckpoint(body).old === 1 ? 2 : 1}\n`);
    if (typeof answer === "number") return send(response, answer, "No.\n");
    send(response, 200, wrongly(answer, body));
  });
  const wrongly = (answer: WitnessAnswer, body: string) => {
    const { text } = parseNote(parseAddCheckpoint(body).note);
    const now = Math.floor(Date.now() / 1000);
    const { origin, size, root } = parseCheckpoint(text);
    const other = privateKeyOf(randomBytes(32));
    if (answer === "cosign unseen") return lineOf(text, now);
    if (answer === "another key") return lineOf(text, now, other, verifierKeyOf(name, other, COSIGNATURE));
    if (answer === "relabelled") return lineOf(text, now, other);
    if (answer === "another time") return lineOf(text, now - 3_600);
    if (answer === "another text")
      return lineOf(`${origin}\n${size + 1}\n${Buffer.from(root).toString("base64")}\n`, now);
    return answer === "too long" ? "x".repeat(100_000) : "<html>";
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const witness: StandInWitness = {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`,
    vkey: formatVkey(verifier),
    answer: "cosign",
    asked: 0,
    release: () => {
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    close: () => server.close().closeAllConnections(),
  };
  return witness;
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": status === 409 ? "text/x.tlog.size" : "text/plain" }).end(text);
}
