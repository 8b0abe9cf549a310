import { route } from "@/lib/api/route";

// Every path that no other handle takes: identified, limited and recorded like the rest, then 404.
export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route();
