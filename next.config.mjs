/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Every request under /api/v1 must reach the pipeline, so Next may not answer `/api/v1/x/` with a redirect of its own.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    "pg",
    "pino",
    "prom-client",
    "maxmind",
    "ioredis",
    "stripe",
    "@prisma/client",
    "@prisma/adapter-pg",
  ],
  // The optimizer of images would call any path of ours from inside, the API's too. We have no images for it.
  images: { unoptimized: true },
  // The API's handlers are ours (server/web/route-handlers.ts): Next would load its own copies of all of them at the start.
  experimental: { preloadEntriesOnStart: false },
  reactStrictMode: true,
  // `npm test` checks the types of everything; the start of a release does not check them again.
  typescript: { ignoreBuildErrors: true },
};
