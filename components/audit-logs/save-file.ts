/** Saves a file through the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  startDownload(url, name);
  // By then the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the browser download an address without leaving the page; the file is named `name` unless the server sets a name. */
export function startDownload(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
