/** The logo: a notched seal with a tick. Decorative, because the name is next to it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" className={className} aria-hidden="true">
      <path
        fill="var(--seal)"
        d="M8.94 2.58A3.35 3.35 0 0 1 15.06 2.58A3.35 3.35 0 0 1 20.01 6.18A3.35 3.35 0 0 1 21.9 12A3.35 3.35 0 0 1 20.01 17.82A3.35 3.35 0 0 1 15.06 21.42A3.35 3.35 0 0 1 8.94 21.42A3.35 3.35 0 0 1 3.99 17.82A3.35 3.35 0 0 1 2.1 12A3.35 3.35 0 0 1 3.99 6.18A3.35 3.35 0 0 1 8.94 2.58Z"
      />
      <path
        d="m8.2 12.3 2.7 2.7 5-5.6"
        fill="none"
        stroke="var(--canvas)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
