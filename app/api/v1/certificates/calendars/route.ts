import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/calendar-contract";
import { createCalendar } from "@/lib/certificates/create-calendar";
import { listCalendars } from "@/lib/certificates/list-calendars";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listCalendars, listCalendars),
  door(contract.createCalendar, createCalendar),
);
