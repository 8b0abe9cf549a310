/** Text without its percent-encoding; null if a `%` does not begin an encoded byte, or the bytes are not UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Whether the user and the password of a URL can be read. */
export const hasReadableCredentials = ({ username, password }: Pick<URL, "username" | "password">) =>
  percentDecoded(username) !== null && percentDecoded(password) !== null;
