/** Carries the reader's IANA zone to the server, so that the first paint shows their time. */
export const TIME_ZONE_COOKIE = "sealwatch.time_zone";
