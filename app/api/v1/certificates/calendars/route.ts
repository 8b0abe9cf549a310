import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/calendars/calendar-contract";
import { createCalendar } from "@/lib/certificates/calendars/create-calendar";
import { listCalendars } from "@/lib/certificates/calendars/list-calendars";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listCalendars, listCalendars),
  handle(contract.createCalendar, createCalendar),
);
