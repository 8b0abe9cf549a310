/** The types of channels. */
export const channelTypes = ["email", "webhook", "slack", "teams", "discord", "pagerduty", "telegram", "ntfy"] as const;
export type ChannelType = (typeof channelTypes)[number];

/** The kinds of messages. */
export const messageKinds = ["alert", "test", "notice", "checkpoint"] as const;
export type MessageKind = (typeof messageKinds)[number];
