import { answerLog } from "@/lib/witness/answer-log";

/** Other logs ask for cosignatures here (C2SP tlog-witness). */
export function POST(request: Request): Promise<Response> {
  return answerLog(request);
}

export const dynamic = "force-dynamic";
