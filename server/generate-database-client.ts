import { generateClient, writeClient } from "@/server/database-client";

writeClient(generateClient());
