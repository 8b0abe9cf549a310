/** The page of renewals. */
export const RENEWALS = "/certificates/renewals";

/** The days ahead without a choice, and those to choose from. */
export const USUAL_DAYS = 30;
export const offeredDays: readonly number[] = [7, 30, 90];
