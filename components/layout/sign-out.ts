import { deleteVisits } from "@/components/palette/recent";
import { showToast } from "@/components/ui/toast";

/** Ends the session, then opens the page on which the identity provider ends its own. False after a failure, which a toast says. */
export async function signOut(): Promise<boolean> {
  try {
    const answer = await fetch("/api/auth/sign-out", { method: "POST" });
    if (!answer.ok) throw new Error(`the sign-out was answered ${answer.status}`);
    const { url } = (await answer.json()) as { url: string };
    deleteVisits();
    location.assign(url);
    return true;
  } catch {
    showToast("You could not be signed out. Try again in a moment.");
    return false;
  }
}
