import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { startSmallInternet } from "@/e2e/support/stand-ins/small-internet";
import { STRIPE_SETTINGS, startStripe } from "@/e2e/support/stand-ins/stripe";

/** Starts a server with a payment provider and a small internet to monitor, and without forbidden networks. */
export async function startWithNeighbours(
  env: Record<string, string> = {},
): Promise<{ server: Sealwatch; destroy: () => Promise<void> }> {
  const stripe = await startStripe();
  const internet = await startSmallInternet();
  const server = await startSealwatch({
    ...internet.settings,
    ...STRIPE_SETTINGS,
    STRIPE_API_URL: stripe.url,
    // Requests without a key are limited by address, so every test needs its own addresses.
    TRUSTED_PROXIES: "127.0.0.1/32",
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
    ...env,
  });
  const destroy = async () => {
    await server.destroy();
    stripe.close();
    internet.close();
  };
  return { server, destroy };
}
