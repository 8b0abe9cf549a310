/** The states of a destination. */
export const destinationStates = ["unused", "working", "failing", "paused"] as const;
export type DestinationState = (typeof destinationStates)[number];
