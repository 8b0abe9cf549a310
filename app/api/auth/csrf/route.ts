import type { NextRequest } from "next/server";
import { callNextAuth } from "@/lib/sign-in/call-next-auth";

/** The token that starting a sign-in must bring along; its hash goes into a cookie. */
export async function GET(request: NextRequest): Promise<Response> {
  return callNextAuth(request, ["csrf"]);
}
