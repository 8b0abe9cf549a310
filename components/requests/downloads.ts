import { isSwitched } from "@/components/requests/selected-organization";
import { showToast } from "@/components/ui/toast";

/** Saves a file through the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  startDownload(url, name);
  // By then the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the browser download an address without leaving the page; the file is named `name` unless the server sets a name. */
export function startDownload(url: string, name = ""): void {
  if (refusesDownload(url)) return;
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/** Refuses a file of the API, with a toast, if it would be of another organization than the page: a link cannot name one. */
export function refusesDownload(url: string): boolean {
  const isRefused = url.startsWith("/api/") && isSwitched();
  if (isRefused) showToast("You switched the organization in another tab. Reload this page, then download again.");
  return isRefused;
}
