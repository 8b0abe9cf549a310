/** A mistake in the operator's input. The message is shown without a stack. */
export class CliError extends Error {}

/** Options or words that a command does not have, or lacks. The exit code is 2. */
export class UsageError extends CliError {}
