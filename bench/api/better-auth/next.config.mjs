/** @type {import("next").NextConfig} */
export default { poweredByHeader: false, serverExternalPackages: ["pg", "better-auth", "@better-auth/api-key"] };
