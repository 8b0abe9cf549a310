import type { IncomingMessage } from "node:http";

/** The body of a request as text. */
export async function requestText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}
