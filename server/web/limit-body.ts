import type { IncomingMessage, ServerResponse } from "node:http";
import { announcedSize } from "@/lib/http/body";
import { limitsItself } from "@/server/web/dispatch";
import { discardBody } from "@/server/web/route-handlers";

/** More bytes than any body outside of the API has, such as the form that starts a sign-in. */
const LARGEST_BODY = 10_000;

/**
 * Refuses a request outside of the API by the size of its body: 413 if it is too large, 411 if its size is not declared. Packages
 * behind this point, such as next-auth, read a whole body before they look at it. Returns false if the request may be served.
 */
export async function refuseBody(message: IncomingMessage, response: ServerResponse, target: string): Promise<boolean> {
  if (limitsItself(target)) return false;
  const size = announcedSize(message.headers);
  if (size !== null && size <= LARGEST_BODY) return false;
  const text =
    size === null
      ? "The body needs a Content-Length: it may not be sent in chunks.\n"
      : `The body is larger than ${LARGEST_BODY} bytes.\n`;
  response.writeHead(size === null ? 411 : 413, {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    Connection: "close",
  });
  response.write(text);
  await discardBody(message);
  response.end();
  return true;
}
