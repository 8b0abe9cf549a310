/** The names of formats. Safe for the browser. */
export const formatNames = ["sealwatch", "ocsf", "ecs", "cef"] as const;
export type FormatName = (typeof formatNames)[number];

export const formatLabels: Readonly<Record<FormatName, string>> = {
  sealwatch: "Sealwatch: the event as the API lists it, with what proves it",
  ocsf: "OCSF 1.4: Open Cybersecurity Schema Framework",
  ecs: "ECS 8.11: Elastic Common Schema",
  cef: "CEF: Common Event Format",
};
