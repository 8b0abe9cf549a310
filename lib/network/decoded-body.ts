import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";

/** What undoes a content coding. Not deflate, which servers send in two forms. */
const DECODERS = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
]);

/**
 * The parts of a body as they arrive, decoded from gzip or Brotli if its `Content-Encoding` says so, otherwise as they are.
 * Throws the network's error, or an error that says in words that the body could not be decoded.
 */
export async function* decodedBody(response: IncomingMessage): AsyncGenerator<Buffer> {
  const coding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  const decoder = DECODERS.get(coding)?.();
  if (decoder === undefined) return yield* response;
  let isEmpty = true;
  // Both end together. An error of either is thrown below.
  pipeline(response, decoder, () => {});
  response.once("data", () => {
    isEmpty = false;
  });
  try {
    yield* decoder;
  } catch (error) {
    if (response.errored !== null) throw error;
    // Some servers name a coding although there is no body.
    if (!isEmpty) throw new Error(`the body could not be decoded as ${coding}`);
  }
}
