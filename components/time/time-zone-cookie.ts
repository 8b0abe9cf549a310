/** Sends the reader's IANA time zone to the server, so that the first paint shows local times. */
export const TIME_ZONE_COOKIE = "sealwatch.time_zone";
