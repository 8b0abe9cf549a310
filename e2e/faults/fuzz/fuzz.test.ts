import { fuzz } from "@/e2e/faults/fuzz/fuzz";

fuzz(300);
