import { failureOf } from "@/components/states/failure";
import { showToast } from "@/components/ui/toast";

/** Shows in a toast why a request without a form failed. */
export function showFailure(error: unknown): void {
  const { message } = failureOf(error);
  if (message !== null) showToast(message);
}
