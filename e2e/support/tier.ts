/**
 * Whether this is `npm run test:long`. A suite that runs in both tiers does all it can there, and in `npm test` what may
 * break on any day; vitest.config.ts names these suites.
 */
export const isLong = process.env.TEST_TIER === "long";
