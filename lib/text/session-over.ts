/** What a person reads instead of the API's message to programs. */
export const SESSION_OVER = "Your session has ended. Sign in again.";
