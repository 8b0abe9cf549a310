"use client";

import { type FormPart, MonitorControl } from "@/components/uptime/form/monitor-control";

/** What a ping monitor sends and expects. */
export function PingFields({ part }: { part: FormPart }) {
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <MonitorControl part={part} name="packets" field="ping.count" label="Packets" numeric />
      <MonitorControl part={part} name="maxLoss" field="ping.max_loss_percent" label="Accepted loss (%)" numeric />
    </div>
  );
}
