import { remember } from "@/components/layout/remember";

/** Switches to another organization of the user. `cookie` is the name of the cookie that stores the choice. */
export function switchOrganization(cookie: string, id: string): void {
  remember(cookie, id);
  // A full page load: nothing of the previous organization may stay on screen or in memory.
  window.location.assign("/");
}
