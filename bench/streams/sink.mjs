// A receiver in a process of its own, so that its work is not measured: reads each request and answers 200. Prints its port.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.end());
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
