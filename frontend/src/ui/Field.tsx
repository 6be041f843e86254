/** A field of a form with its label, what it is for, and what is wrong with it. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

interface Told {
  label: ReactNode;
  hint?: ReactNode;
  problem?: ReactNode;
  /** The label is only for those who do not see the page. */
  quiet?: boolean;
}

const LOOK =
  "w-full min-h-10 rounded-md border border-edge bg-raised px-3 py-1.5 text-base text-ink placeholder:text-muted aria-invalid:border-wrong";

interface Wiring {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

/** Any control: `children` gets the attributes that tie it to its label and its words. */
export function Field({ label, hint, problem, quiet, children }: Told & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const told = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={id} className={quiet ? "sr-only" : "mb-1 block text-sm font-medium"}>
        {label}
      </label>
      {children({
        id,
        ...(told ? { "aria-describedby": told } : {}),
        ...(problem ? { "aria-invalid": true as const } : {}),
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-sm text-wrong">
          {problem}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, hint, problem, quiet, ...rest }: Told & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, hint, problem, ...(quiet ? { quiet } : {}) }}>
      {(wiring) => <input {...rest} {...wiring} className={LOOK} />}
    </Field>
  );
}

export function TextArea({ label, hint, problem, quiet, ...rest }: Told & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ label, hint, problem, ...(quiet ? { quiet } : {}) }}>
      {(wiring) => <textarea rows={4} {...rest} {...wiring} className={LOOK} />}
    </Field>
  );
}

type Choices = readonly (readonly [value: string, label: string])[];

export function Select({
  label,
  hint,
  problem,
  quiet,
  choices,
  ...rest
}: Told & SelectHTMLAttributes<HTMLSelectElement> & { choices: Choices }) {
  return (
    <Field {...{ label, hint, problem, ...(quiet ? { quiet } : {}) }}>
      {(wiring) => (
        <select {...rest} {...wiring} className={LOOK}>
          {choices.map(([value, named]) => (
            <option key={value} value={value}>
              {named}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({ label, hint, ...rest }: Told & Omit<InputHTMLAttributes<HTMLInputElement>, "type">) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        {...rest}
        id={id}
        type="checkbox"
        className="mt-1 size-5 accent-accent"
        {...(hint ? { "aria-describedby": `${id}-hint` } : {})}
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
