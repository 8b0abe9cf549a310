const names = new Intl.DisplayNames(["en"], { type: "region" });

/** `Germany` for `DE`; the code itself if it is not a country code. */
export function countryName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
