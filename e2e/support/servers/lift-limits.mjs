// Preloaded into the processes of benchmarks and fuzz tests, which send more requests than any limit allows.
globalThis.sealwatchOnce = new Map([["rate-limits.preset", { limit: 10_000_000 }]]);
