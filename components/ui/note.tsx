import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";

const tones = {
  bad: "bg-bad-wash text-bad",
  warn: "bg-warn-wash text-warn",
  seal: "bg-seal-wash text-seal",
  plain: "border bg-panel text-second",
};

/** A highlighted note: the problem and what to do about it. */
export function Note({
  tone,
  children,
  alert = false,
}: {
  tone: keyof typeof tones;
  children: ReactNode;
  alert?: boolean;
}) {
  return (
    <div {...(alert && { role: "alert" })} className={cx("rounded-md px-3 py-2 text-pretty", tones[tone])}>
      {children}
    </div>
  );
}
