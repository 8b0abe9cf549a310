import { WEB_STEADY_SINCE } from "@/lib/jobs/web-steady-since";

/** Minutes after which an agent is silent: three times the longest pause between two requests that its program permits. */
export const SILENT_MINUTES = 15;

/** SQL: whether agents could ask and send the reports they kept for as long as they may be silent. */
export const AGENTS_COULD_REPORT = `${WEB_STEADY_SINCE} <= now() - interval '${SILENT_MINUTES} minutes'`;
