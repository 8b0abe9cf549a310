// Preloaded into the web process by `npm run bench -- input`. Writes the longest time that one turn of the event loop kept the main
// thread on a processor since the file was last removed. Processor time is comparable even if the machine is not idle.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const [file] = [process.env.BENCH_LOOP_FILE];
if (file && process.argv.some((word) => word.includes("server/web."))) {
  const busy = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ", 1)[0]) / 1e6;
  let longest = 0;
  let before = busy();
  let written = 0;
  const look = () => {
    const now = busy();
    longest = Math.max(longest, now - before);
    before = busy();
    if (performance.now() - written > 100) {
      written = performance.now();
      if (!existsSync(file)) longest = 0;
      writeFileSync(`${file}.new`, String(longest));
      renameSync(`${file}.new`, file);
      before = busy();
    }
    setImmediate(() => setTimeout(look, 0));
  };
  look();
}
