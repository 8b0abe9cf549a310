/** Days of the week from Monday, as in rules. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
