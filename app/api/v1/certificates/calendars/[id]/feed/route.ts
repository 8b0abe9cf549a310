import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/calendar-contract";
import { readCalendarFeed } from "@/lib/certificates/read-calendar-feed";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.readCalendarFeed, readCalendarFeed),
);
