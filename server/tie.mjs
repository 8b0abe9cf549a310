// Preloaded into the Node.js processes that `tied.mjs` starts, so that they end with their parent even before their own
// code runs. Workers of such a process inherit the preload, but their parent manages them.
const [parent, graceMs] = (process.env.SEALWATCH_TIE ?? "").split(":").map(Number);
if (process.ppid === parent) {
  process.on("disconnect", () => setTimeout(() => process.exit(1), graceMs));
  // The channel alone must not keep the process running.
  process.channel?.unref();
}
