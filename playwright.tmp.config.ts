import base from "./playwright.config";
import { readFileSync } from "node:fs";
process.env.SEALWATCH_TEST_INSTALLATION = readFileSync("/tmp/orgs-dev/installation.json", "utf8");
const { globalSetup: _, ...rest } = base as never as Record<string, unknown>;
export default { ...rest, workers: 1, retries: 0, timeout: 500_000, expect: { timeout: 90_000 }, reporter: "line" };
