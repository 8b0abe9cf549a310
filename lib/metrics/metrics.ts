import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { catalog, type LabelsOf, type MetricName, type NameOf } from "@/lib/metrics/catalog";
import { processSingleton } from "@/lib/process-singleton";

/** The values of one metric, as a process passes them on. */
export type Snapshot = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>[number];

type Instrument = Counter | Gauge | Histogram;

/** Next bundles this module several times; a process has one registry. */
const state = processSingleton("metrics", () => ({
  registry: new Registry(),
  instruments: new Map<MetricName, Instrument>(),
  collectors: new Map<string, () => void | Promise<void>>(),
}));

/** The registry of this process, with the metrics that it has used. */
export const registry = state.registry;

function create(name: MetricName): Instrument {
  const described = catalog[name];
  const settings = { name, help: described.help, labelNames: [...described.labels], registers: [registry] };
  if (described.type === "counter") return new Counter(settings);
  if (described.type === "gauge") return new Gauge(settings);
  return new Histogram({ ...settings, buckets: [...described.buckets] });
}

function instrument(name: MetricName): Instrument {
  let found = state.instruments.get(name);
  if (found === undefined) {
    found = create(name);
    state.instruments.set(name, found);
  }
  return found;
}

/** Creates every counter and histogram, so that those without labels are 0 rather than absent before their first event. */
export function declareMetrics(): void {
  for (const [name, { type }] of Object.entries(catalog)) if (type !== "gauge") instrument(name as MetricName);
}

/** Adds to a counter. 0 makes it visible before the first event, so that its first increase is seen. */
export function count<Name extends NameOf<"counter">>(name: Name, labels: LabelsOf<Name>, by = 1): void {
  (instrument(name) as Counter).inc(labels, by);
}

/** Records one value in a histogram, in the unit of its name. */
export function observe<Name extends NameOf<"histogram">>(name: Name, labels: LabelsOf<Name>, value: number): void {
  (instrument(name) as Histogram).observe(labels, value);
}

/** Sets a gauge, in the unit of its name. */
export function setGauge<Name extends NameOf<"gauge">>(name: Name, labels: LabelsOf<Name>, value: number): void {
  (instrument(name) as Gauge).set(labels, value);
}

/** Removes one value of a gauge until it is set again. */
export function removeGaugeValue<Name extends NameOf<"gauge">>(name: Name, labels: LabelsOf<Name>): void {
  (instrument(name) as Gauge).remove(labels);
}

/** Adds to a gauge. */
export function addToGauge<Name extends NameOf<"gauge">>(name: Name, labels: LabelsOf<Name>, by: number): void {
  (instrument(name) as Gauge).inc(labels, by);
}

/** Removes a gauge until it is set again, so that a figure that can no longer be read is not shown as current. */
export function removeGauge(name: NameOf<"gauge">): void {
  registry.removeSingleMetric(name);
  state.instruments.delete(name);
}

/** Sets gauges each time the metrics are read. A further function under the same key replaces the first. Must end within seconds. */
export function onRead(key: string, set: () => void | Promise<void>): void {
  state.collectors.set(key, set);
}

/** The current values of all metrics of this process. A part that cannot be read is left out. */
export async function readMetrics(): Promise<Snapshot[]> {
  await Promise.allSettled([...state.collectors.values()].map(async (set) => set()));
  return registry.getMetricsAsJSON();
}
