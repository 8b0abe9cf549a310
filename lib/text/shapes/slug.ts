/** Lower-case words joined by hyphens, without accents; `otherwise` for text in other scripts. At most 50 characters. */
export function slugOf(text: string, otherwise: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words?.join("-") ?? otherwise).slice(0, 50).replace(/-$/, "");
}
