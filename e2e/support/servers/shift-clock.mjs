// Preloaded into a process whose clock should be wrong by CLOCK_SHIFT_MS.
const shift = Number(process.env.CLOCK_SHIFT_MS);
const now = Date.now;
Date.now = () => now() + shift;
