// Adds up the test runs in a file, which has a line of JSON per run, and repeats their failures. A missing run counts as a failure.
import { readFileSync } from "node:fs";

const [file, runs] = process.argv.slice(2);
const tallies = readFileSync(file, "utf8").split("\n").filter(Boolean).map(JSON.parse);
const sum = (field) => tallies.reduce((total, tally) => total + tally[field], 0);
const passed = sum("passed");
const failed = sum("failed") + Math.max(0, runs - tallies.length);
const skipped = sum("skipped");
for (const failure of tallies.flatMap(({ failures = [] }) => failures)) process.stdout.write(`\nFailed: ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
