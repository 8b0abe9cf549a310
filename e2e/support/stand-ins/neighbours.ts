import { startSmallInternet } from "@/e2e/support/stand-ins/small-internet";
import { STRIPE_SETTINGS, startStripe } from "@/e2e/support/stand-ins/stripe";

/** A process with the payment provider and the small internet of a server. Sends the settings that lead to them to its parent. */
const stripe = await startStripe();
const internet = await startSmallInternet();
process.once("disconnect", () => process.exit());
process.send?.({ ...internet.settings, ...STRIPE_SETTINGS, STRIPE_API_URL: stripe.url });
