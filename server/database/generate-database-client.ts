import { generateClient, writeClient } from "@/server/database/database-client";

writeClient(generateClient());
