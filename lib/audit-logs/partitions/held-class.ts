/**
 * The retention class of events that a legal hold keeps, in days like those of plans: the largest smallint, so that nothing in it
 * expires by its day, also under releases that do not know holds.
 */
export const HELD_CLASS = 32_767;
