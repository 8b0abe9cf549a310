/** A mistake in the operator's input. The message is shown without a stack. */
export class CliError extends Error {}
