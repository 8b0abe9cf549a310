// Preloaded into the Node processes that `tied.mjs` starts: they shall not outlive the one that started them, and have
// to know so before their own code could see to it. Workers of such a process inherit this, but are its own affair.
const [parent, patienceMs] = (process.env.SEALWATCH_TIE ?? "").split(":").map(Number);
if (process.ppid === parent) {
  process.on("disconnect", () => setTimeout(() => process.exit(1), patienceMs));
  // The channel alone is no reason to stay.
  process.channel?.unref();
}
