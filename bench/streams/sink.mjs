// A receiver in a process of its own, so that its work is not measured: reads each request and answers 200. Prints its port.
// With --check, it refuses requests until GET /open. GET /seen returns the number of requests and events, and indexes out of order.
import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";

const isChecking = process.argv.includes("--check");
let isOpen = !isChecking;
const seen = { refused: 0, requests: 0, events: 0, next: 0, errors: [] };

function check(body) {
  seen.requests += 1;
  for (const [, text] of gunzipSync(body)
    .toString()
    .matchAll(/"seal":\{"index":(\d+),/g)) {
    const index = Number(text);
    if (index !== seen.next && seen.errors.length < 10) seen.errors.push(`${index} instead of ${seen.next}`);
    seen.events += 1;
    seen.next = index + 1;
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => isChecking && chunks.push(chunk));
  request.on("end", () => {
    if (request.method === "GET") {
      isOpen ||= request.url === "/open";
      return response.end(JSON.stringify(seen));
    }
    if (!isOpen) {
      seen.refused += 1;
      return response.writeHead(503).end();
    }
    if (isChecking) check(Buffer.concat(chunks));
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
