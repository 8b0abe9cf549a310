import { finishSignIn } from "@/lib/sign-in/finish-sign-in";

export const GET = finishSignIn;
