/** The names of formats. Safe for the browser. */
export const formatNames = ["sealwatch"] as const;
export type FormatName = (typeof formatNames)[number];

export const formatLabels: Readonly<Record<FormatName, string>> = {
  sealwatch: "Sealwatch: the event as the API lists it, with what proves it",
};
