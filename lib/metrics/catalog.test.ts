import { expect, test } from "vitest";
import { catalog } from "@/lib/metrics/catalog";

const metrics = Object.entries(catalog);

test("names contain the unit, and those of counters end in _total", () => {
  expect(metrics.filter(([name]) => !/^sealwatch_[a-z][a-z_]*[a-z]$/.test(name))).toEqual([]);
  const misnamed = metrics.filter(([name, { type }]) => name.endsWith("_total") !== (type === "counter"));
  expect(misnamed).toEqual([]);
  const units = metrics.filter(([name]) => /_(ms|milliseconds|minutes|us|kb|mb)(_|$)/.test(name));
  expect(units).toEqual([]);
  expect(metrics.filter(([name, { type }]) => type === "histogram" && !/_(seconds|events)$/.test(name))).toEqual([]);
});

test("labels are of a closed list, none of which depends on organizations, hosts or clients", () => {
  const closed = [
    ...["channel", "database", "dependency", "group", "job_name", "kind", "method", "node", "outcome", "process"],
    ...["purpose", "state", "status", "store", "version"],
  ];
  expect([...new Set(metrics.flatMap(([, { labels }]) => [...labels]))].sort()).toEqual(closed);
});

test("no label is one that Prometheus gives to the target", () => {
  expect(metrics.filter(([, { labels }]) => labels.some((label) => ["job", "instance", "le"].includes(label)))).toEqual(
    [],
  );
});
