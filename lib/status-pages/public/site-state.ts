import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import { counted } from "@/lib/text/counts";
import type { MonitorStatus } from "@/lib/uptime/contract";

/** The states of a site on a public page. */
export const siteStateLabels = {
  up: "Operational",
  problem: "Certificate problem",
  down: "Down",
  maintenance: "Maintenance",
  // Not checked yet, before the first result is confirmed, or paused.
  unknown: "Not known",
} as const;

export type SiteState = keyof typeof siteStateLabels;

interface MonitorFacts {
  status: MonitorStatus;
  inMaintenance: boolean;
}

function stateOfMonitor({ status, inMaintenance }: MonitorFacts): SiteState {
  if (status === "paused") return "unknown";
  if (inMaintenance) return "maintenance";
  return status === "pending" ? "unknown" : status;
}

function stateOfEndpoint(status: EndpointStatus): SiteState {
  if (status === "pending") return "unknown";
  if (status === "unreachable") return "down";
  return status === "critical" ? "problem" : "up";
}

/** The state of a site. The monitor decides whether it is reachable; without one, the certificate endpoint does. */
export function siteState(monitor: MonitorFacts | null, endpoint: EndpointStatus | null): SiteState {
  const reachable = monitor === null ? "unknown" : stateOfMonitor(monitor);
  const served = endpoint === null ? "unknown" : stateOfEndpoint(endpoint);
  if (reachable === "unknown") return served;
  return reachable === "up" && served === "problem" ? "problem" : reachable;
}

/** The state of a whole page: its worst. Maintenance is planned, and sites whose state is not known say nothing. */
export function pageState(states: readonly SiteState[]): SiteState {
  const worst = (["down", "problem", "maintenance", "up"] as const).find((state) => states.includes(state));
  return worst ?? "unknown";
}

/** The state of a whole page in one sentence. */
export function stateSentence(states: readonly SiteState[]): string {
  const count = (state: SiteState) => states.filter((each) => each === state).length;
  const of = `of ${states.length} ${counted(states.length, "site")}`;
  if (states.length === 0) return "No sites are shown here yet.";
  if (count("down") > 0) return `${count("down")} ${of} ${count("down") === 1 ? "is" : "are"} down.`;
  if (count("problem") > 0) {
    return `${count("problem")} ${of} ${count("problem") === 1 ? "has" : "have"} a problem with the certificate.`;
  }
  if (count("maintenance") > 0) {
    return `${count("maintenance")} ${of} ${count("maintenance") === 1 ? "is" : "are"} in planned maintenance.`;
  }
  const [up, unknown] = [count("up"), count("unknown")];
  if (up === 0) return "The state of these sites is currently unknown.";
  if (unknown > 0) return `${up} ${of} ${up === 1 ? "is" : "are"} operational; the state of the others is not known.`;
  return states.length === 1 ? "The site is operational." : `All ${states.length} sites are operational.`;
}
