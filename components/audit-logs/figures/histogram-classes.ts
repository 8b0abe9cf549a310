import type { Bin } from "@/components/audit-logs/figures/bins";

/** The parts of a bar from bottom to top. */
export const barClasses = [
  { name: "2xx", label: "2xx", fill: "bg-seal/40", count: (bar: Bin) => bar.status_2xx },
  { name: "3xx", label: "3xx", fill: "bg-third/50", count: (bar: Bin) => bar.status_3xx },
  { name: "4xx", label: "4xx", fill: "bg-warn/75", count: (bar: Bin) => bar.status_4xx },
  { name: "5xx", label: "5xx", fill: "bg-bad", count: (bar: Bin) => bar.status_5xx },
  {
    // Events that are not requests.
    ...{ name: "none", label: "no status", fill: "bg-third/30" },
    count: (bar: Bin) => bar.requests - bar.status_2xx - bar.status_3xx - bar.status_4xx - bar.status_5xx,
  },
];
