import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/calendars/calendar-contract";
import { readCalendarFeed } from "@/lib/certificates/calendars/read-calendar-feed";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.readCalendarFeed, readCalendarFeed),
);
