// Preloaded into the Node.js processes that `tied.mjs` starts, so that they end with their parent even before their own
// code runs. Workers of such a process inherit the preload, but their parent manages them.
const [parent, patienceMs] = (process.env.SEALWATCH_TIE ?? "").split(":").map(Number);
if (process.ppid === parent) {
  process.on("disconnect", () => setTimeout(() => process.exit(1), patienceMs));
  // The channel alone must not keep the process running.
  process.channel?.unref();
}
