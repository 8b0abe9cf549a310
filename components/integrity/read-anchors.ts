import { anchorChannelTypes } from "@/lib/anchors/contract";
import { getAnchors } from "@/lib/anchors/get";
import type { Principal } from "@/lib/http/principal";
import { listNotificationChannels } from "@/lib/notification-channels/list";

/** Maximum number of channels that the form offers. */
const MAX_CHOICES = 200;

/** A channel that the form offers. */
export interface AnchorChoice {
  id: string;
  name: string;
}

/** The channels that get checkpoints, and those that can. */
export async function readAnchorChoices(principal: Principal) {
  const [{ channels }, listed] = await Promise.all([
    getAnchors(principal),
    listNotificationChannels(principal, { limit: MAX_CHOICES, cursor: undefined }),
  ]);
  const fit = listed.items.filter(({ type }) => anchorChannelTypes.some((each) => each === type));
  const all = new Map<string, AnchorChoice>([...channels, ...fit].map(({ id, name }) => [id, { id, name }]));
  return { channels, choices: [...all.values()].sort((one, other) => one.name.localeCompare(other.name)) };
}
