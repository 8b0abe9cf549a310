import { apiBench } from "@/bench/api/run";
import { auditBench } from "@/bench/audit/run";
import { backgroundBench } from "@/bench/background/run";
import { inputBench } from "@/bench/input/run";
import { navigationBench } from "@/bench/navigation/run";
import { probeBench } from "@/bench/probe/run";
import { sealBench } from "@/bench/seal/run";
import { soakBench } from "@/bench/soak/run";
import { startBench } from "@/bench/start/run";
import { streamsBench } from "@/bench/streams/run";
import { tracingBench } from "@/bench/tracing/run";
import { connectAsJob } from "@/lib/db/purposes";

/** Every measurement, by name: `npm run bench -- NAME`. */
const benches: Record<string, (args: string[]) => Promise<void>> = {
  api: apiBench,
  audit: auditBench,
  background: backgroundBench,
  input: inputBench,
  navigation: navigationBench,
  probe: probeBench,
  seal: sealBench,
  soak: soakBench,
  start: startBench,
  streams: streamsBench,
  tracing: tracingBench,
};

const [name = "", ...args] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(benches).join("|")} [options]\n`);
  process.exit(2);
}
// Filling and cleaning up require the owner of the audit database.
connectAsJob();
await bench(args);
process.exit(0);
