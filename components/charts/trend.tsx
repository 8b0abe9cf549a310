import { type Tone, toneText } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";

const HEIGHT = 18;
const BAR = 3;

/** A sparkline of counts over time. `label` describes it in words. */
export function Trend({ series, label, tone }: { series: readonly number[]; label: string; tone: Tone }) {
  const most = Math.max(1, ...series);
  return (
    <svg
      role="img"
      aria-label={label}
      width={series.length * BAR}
      height={HEIGHT}
      viewBox={`0 0 ${series.length * BAR} ${HEIGHT}`}
      className={cx("inline-block", toneText[tone])}
    >
      <title>{label}</title>
      <path d={`M0 ${HEIGHT - 0.5}H${series.length * BAR}`} stroke="var(--line)" />
      {series.map((count, at) => {
        if (count === 0) return null;
        const height = Math.max(2, (count / most) * (HEIGHT - 2));
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
        return <rect key={at} x={at * BAR} y={HEIGHT - height} width={BAR - 1} height={height} fill="currentColor" />;
      })}
    </svg>
  );
}
