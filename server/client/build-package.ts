import { buildClientPackage } from "@/server/client/client-package";

buildClientPackage(process.argv[2] ?? "dist-client");
