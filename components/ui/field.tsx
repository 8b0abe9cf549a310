import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "@/components/ui/cx";

const control =
  "w-full min-w-0 scroll-mt-24 scroll-mb-20 rounded-sm border border-strong bg-panel px-2.5 text-ink hover:border-third/60 focus-visible:outline-offset-0 aria-invalid:border-bad disabled:opacity-60 pointer-coarse:text-lg";

/** The attributes that connect a control with its label, hint and error. */
interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A labelled control with its hint, or its error instead. */
export function Field({
  label,
  hint,
  error,
  optional = false,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  children: (props: ControlProps) => ReactNode;
}) {
  const id = useId();
  const described = error || hint ? `${id}-more` : undefined;
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="flex items-baseline justify-between font-medium">
        {label}
        {optional && <span className="font-normal text-sm text-third">optional</span>}
      </label>
      {children({ id, "aria-describedby": described, "aria-invalid": error ? true : undefined })}
      {error ? (
        <p id={described} role="alert" className="whitespace-pre-line text-bad text-sm">
          {error}
        </p>
      ) : (
        hint && (
          <p id={described} className="text-second text-sm">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** A single-line text control. `mono` for code. */
export function Input({ mono = false, className, ...rest }: ComponentProps<"input"> & { mono?: boolean }) {
  return (
    <input
      autoComplete="off"
      spellCheck={mono ? false : undefined}
      {...rest}
      className={cx(control, "h-8 pointer-coarse:h-10", mono && "font-mono", className)}
    />
  );
}

/** A multi-line text control. */
export function Textarea({ mono = false, className, ...rest }: ComponentProps<"textarea"> & { mono?: boolean }) {
  return (
    <textarea
      rows={3}
      spellCheck={mono ? false : undefined}
      {...rest}
      className={cx(control, "py-1.5", mono && "font-mono", className)}
    />
  );
}

/** A native select, which has the phone's picker and type-ahead. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return <select {...rest} className={cx(control, "h-8 pr-1.5 pointer-coarse:h-10", className)} />;
}

/** A checkbox with its label beside it. */
export function Check({
  checked,
  onChange,
  className,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <label className={cx("flex items-center gap-2", className)}>
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-seal"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}

/** As the `ref` of a form's first control: focuses it if it is empty. */
export function focusEmpty(control: HTMLInputElement | null): void {
  if (control?.value === "") control.focus();
}
