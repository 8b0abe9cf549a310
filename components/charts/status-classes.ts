/** Counts of entries by class of their status. */
export interface StatusCounts {
  requests: number;
  status_2xx: number;
  status_3xx: number;
  status_4xx: number;
  status_5xx: number;
}

/** The parts of a bar from bottom to top. */
export const statusClasses = [
  { name: "2xx", fill: "bg-seal/40", count: (bar: StatusCounts) => bar.status_2xx },
  { name: "3xx", fill: "bg-third/50", count: (bar: StatusCounts) => bar.status_3xx },
  { name: "4xx", fill: "bg-warn/75", count: (bar: StatusCounts) => bar.status_4xx },
  { name: "5xx", fill: "bg-bad", count: (bar: StatusCounts) => bar.status_5xx },
  {
    // Events that are not requests.
    ...{ name: "no status", fill: "bg-third/30" },
    count: (bar: StatusCounts) => bar.requests - bar.status_2xx - bar.status_3xx - bar.status_4xx - bar.status_5xx,
  },
];
