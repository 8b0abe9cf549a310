/** Hands a file to the reader as a download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
