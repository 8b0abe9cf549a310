const BIDI_CONTROL = /\p{Bidi_Control}/gu;

/**
 * Text with controls of writing direction (Unicode `Bidi_Control`) escaped as RFC 4514 escapes octets: `\E2\80\AE`. For text that
 * strangers chose, such as a certificate's subject: the controls would make it, and what stands beside it, read as something else.
 */
export function visible(text: string): string {
  return text.replace(BIDI_CONTROL, (control) =>
    [...Buffer.from(control)].map((octet) => `\\${octet.toString(16).toUpperCase()}`).join(""),
  );
}
