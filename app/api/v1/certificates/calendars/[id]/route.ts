import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/calendar-contract";
import { deleteCalendar } from "@/lib/certificates/delete-calendar";
import { getCalendar } from "@/lib/certificates/get-calendar";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getCalendar, getCalendar),
  door(contract.deleteCalendar, deleteCalendar),
);
