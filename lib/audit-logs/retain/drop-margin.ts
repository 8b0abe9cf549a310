/**
 * How long an expired day still waits, in milliseconds: longer than placing a hold can take and clocks can differ. A hold covers what has
 * not expired when it is placed, so a hold that is placed after the holds were read covers nothing of such a day.
 */
export const DROP_MARGIN_MS = 600_000;
