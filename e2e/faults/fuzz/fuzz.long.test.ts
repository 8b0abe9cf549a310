import { fuzz } from "@/e2e/faults/fuzz/fuzz";

fuzz(Number(process.env.FUZZ_REQUESTS ?? 20_000));
