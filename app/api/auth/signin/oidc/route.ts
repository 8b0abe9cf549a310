import { startSignIn } from "@/lib/sign-in/start-sign-in";

export const POST = startSignIn;
