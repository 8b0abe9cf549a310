import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/calendars/calendar-contract";
import { deleteCalendar } from "@/lib/certificates/calendars/delete-calendar";
import { getCalendar } from "@/lib/certificates/calendars/get-calendar";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getCalendar, getCalendar),
  handle(contract.deleteCalendar, deleteCalendar),
);
