import { fuzz } from "@/e2e/faults/fuzz";

fuzz(2_000);
