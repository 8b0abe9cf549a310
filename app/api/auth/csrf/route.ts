import type { NextRequest } from "next/server";
import { askNextAuth } from "@/lib/sign-in/ask-next-auth";

/** The token that starting a sign-in must bring along; its hash goes into a cookie. */
export async function GET(request: NextRequest): Promise<Response> {
  return askNextAuth(request, ["csrf"]);
}
