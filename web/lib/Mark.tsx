/** The mark: a stroke being sharpened on a stone. The same drawing as web/public/favicon.svg; holds at 16 px. */
export function Mark({ size, className }: { size: number; className?: string | undefined }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" className={className} aria-hidden>
      <path
        fill="var(--jade)"
        d="M2 28.5c0-4 2.6-6.5 6.6-6.5h15.2c4.2 0 6.2 2.6 6.2 6.5 0 .8-.6 1.5-1.5 1.5h-25C2.6 30 2 29.3 2 28.5z"
      />
      <path
        fill="var(--ink)"
        d="M5.2 20.3C8.6 11.3 15.8 4.3 25.3 2.1c2.1-.5 3.7 1.5 2.8 3.5-3 6.5-10.7 12.3-21.5 15.7-1 .3-1.7-.2-1.4-1z"
      />
    </svg>
  );
}
