import { signOut } from "@/lib/sign-in/sign-out";

export const POST = signOut;
