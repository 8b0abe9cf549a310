/** What a person reads instead of the API's message to programs. */
export const SESSION_OVER = "Your session has ended. Sign in again.";

/** What a person reads whose page shows an organization that they were removed from. */
export const NO_LONGER_MEMBER = "You are no longer a member of this organization. Reload the page.";
