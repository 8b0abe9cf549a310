/** The types of channels. */
export const channelTypes = ["email", "webhook", "slack", "teams", "discord", "pagerduty", "telegram", "ntfy"] as const;
export type ChannelType = (typeof channelTypes)[number];
