import { afterAll } from "vitest";
import { killWebUnderLoad } from "@/e2e/faults/web-kills";
import { startSealwatch } from "@/e2e/support/sealwatch";

const server = await startSealwatch();
afterAll(() => server.destroy());

killWebUnderLoad(server, 20);
