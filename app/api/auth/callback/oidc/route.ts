import { finishSignIn } from "@/lib/auth/finish-sign-in";

export const GET = finishSignIn;
