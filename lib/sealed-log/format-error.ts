/** Text or bytes that are not of their format. The message is a sentence that names the fault. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}
