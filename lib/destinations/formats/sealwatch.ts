import type { SentEvent } from "@/lib/destinations/batches/batch";
import type { Format } from "@/lib/destinations/formats/format";

/** The event as lists give it, with the salts and hashes that a verifier needs. */
export const sealwatchFormat: Format<SentEvent> = {
  name: "sealwatch",
  contentType: "application/json",
  encode: (event) => event,
};
