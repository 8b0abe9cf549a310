import { answerCaller } from "@/lib/uptime/heartbeats/answer-caller";

type Context = { params: Promise<{ token: string }> };

/** The URL that a job calls to say that it has run. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answerCaller((await params).token);
}

export { GET as HEAD, GET as POST };

export const dynamic = "force-dynamic";
