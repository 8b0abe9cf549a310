import type { Line } from "@/components/charts/lines";

/** The colors of the response time percentiles. */
export const responseLines: readonly Line[] = [
  { name: "p50", stroke: "stroke-seal", swatch: "bg-seal" },
  { name: "p95", stroke: "stroke-warn", swatch: "bg-warn" },
];
