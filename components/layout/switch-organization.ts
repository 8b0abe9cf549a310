import { remember } from "@/components/ui/remember";

/** Works in another of one's organizations. `cookie` names the cookie that the server reads the choice from. */
export function switchOrganization(cookie: string, id: string): void {
  remember(cookie, id);
  // A new document: nothing of the other organization may stay on the screen or in memory.
  window.location.assign("/");
}
