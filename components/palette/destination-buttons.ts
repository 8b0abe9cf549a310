/** A button of a destination's page, which is offered by a verb in front of its name, such as `pause siem`. */
export interface DestinationButton {
  verb: string;
  /** On the page. */
  label: string;
  /** Whether the page has it, by the destination's status. */
  isOffered: (status: string | null) => boolean;
}

export const destinationButtons: readonly DestinationButton[] = [
  { verb: "Pause", label: "Pause", isOffered: (status) => status !== "paused" },
  { verb: "Resume", label: "Resume", isOffered: (status) => status === "paused" },
  { verb: "Replay", label: "Replay…", isOffered: () => true },
];
