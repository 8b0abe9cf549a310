/** Fixed, whatever the plan: a page is read as a whole for its visitors. */
export const MAX_PAGES = 50;
export const MAX_SITES = 50;
