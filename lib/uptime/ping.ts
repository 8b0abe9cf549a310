import * as z from "zod";
import { whole } from "@/lib/http/schemas/whole-number";

/** What monitors of the type ping do. */
export const pingSettings = z.strictObject({
  count: whole(1, 10).default(3).describe("Packets per check, one per second. Must be less than `timeout_seconds`."),
  max_loss_percent: whole(0, 99)
    .default(50)
    .describe("The check fails if a larger share of the packets gets no reply."),
});
export type PingSettings = z.output<typeof pingSettings>;

/** Of a monitor without settings of its own. */
export const USUAL_PING: PingSettings = { count: 3, max_loss_percent: 50 };
