const BIDI_CONTROL = /\p{Bidi_Control}/gu;

/**
 * Text with bidirectional controls (Unicode `Bidi_Control`) escaped as RFC 4514 escapes octets: `\E2\80\AE`. For untrusted text,
 * such as a certificate's subject: the controls could change how it and the surrounding text read.
 */
export function visible(text: string): string {
  return text.replace(BIDI_CONTROL, (control) =>
    [...Buffer.from(control)].map((octet) => `\\${octet.toString(16).toUpperCase()}`).join(""),
  );
}
