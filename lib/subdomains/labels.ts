import type { SubdomainState } from "@/lib/subdomains/contract";
import type { SourceName, SourceState } from "@/lib/subdomains/domain-contract";

export const sourceLabels: Readonly<Record<SourceName, string>> = {
  ct_search: "CT search",
  ct_public_search: "Public CT search",
  dns: "DNS",
};

export const sourceStateLabels: Readonly<Record<SourceState, string>> = {
  never: "Not run yet",
  running: "Running",
  ok: "Working",
  failing: "Failing",
};

export const subdomainStateLabels: Readonly<Record<SubdomainState, string>> = {
  new: "New",
  monitored: "Monitored",
  ignored: "Ignored",
};
