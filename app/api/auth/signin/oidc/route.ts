import { startSignIn } from "@/lib/auth/start-sign-in";

export const POST = startSignIn;
