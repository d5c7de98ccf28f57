/** Inputs of forms, each with its label. */
import type { Child } from "hono/jsx";

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | number | undefined;
  /** What to write, in a few words; null: nothing to say. */
  readonly hint?: string;
  readonly required?: boolean;
  readonly id?: string;
}

interface InputProps extends FieldProps {
  readonly type?: "text" | "search" | "number" | "datetime-local";
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly list?: readonly string[];
}

export function Input({ name, label, value, hint, required, type = "text", min, max, maxLength, list, id = name }: InputProps) {
  const inputId = `field-${id}`;
  return (
    <Labelled id={inputId} label={label} hint={hint}>
      <input
        id={inputId}
        type={type}
        name={name}
        value={value ?? ""}
        required={required}
        min={min}
        max={max}
        maxlength={maxLength}
        step={type === "datetime-local" ? "any" : undefined}
        autocomplete="off"
        spellcheck={false}
        list={list === undefined ? undefined : `${inputId}-list`}
        aria-describedby={hint === undefined ? undefined : `${inputId}-hint`}
      />
      {list !== undefined && (
        <datalist id={`${inputId}-list`}>
          {list.map((option) => (
            <option value={option} />
          ))}
        </datalist>
      )}
    </Labelled>
  );
}

interface SelectProps extends FieldProps {
  /** The first, `any`, stands for no condition. */
  readonly any: string;
  readonly options: readonly string[];
  /** What an option is called, where not by its value. */
  readonly names?: Readonly<Record<string, string>>;
}

export function Select({ name, label, value, any, options, names = {}, hint, id = name }: SelectProps) {
  const all = value === undefined || options.includes(String(value)) ? options : [...options, String(value)];
  const selectId = `field-${id}`;
  return (
    <Labelled id={selectId} label={label} hint={hint}>
      <select id={selectId} name={name}>
        <option value="">{any}</option>
        {all.map((option) => (
          <option value={option} selected={option === value}>
            {names[option] ?? option}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Labelled({
  id,
  label,
  hint,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: Child;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  );
}

export function Tick({
  name,
  label,
  checked,
  required,
  id = name,
}: {
  readonly name: string;
  readonly label: string;
  readonly checked?: boolean;
  readonly required?: boolean;
  readonly id?: string;
}) {
  return (
    <label class="tick" for={`field-${id}`}>
      <input id={`field-${id}`} type="checkbox" name={name} value="yes" checked={checked} required={required} />
      <span>{label}</span>
    </label>
  );
}

export function Hidden({ fields }: { readonly fields: Readonly<Record<string, string | number | undefined>> }) {
  return (
    <>{Object.entries(fields).map(([name, value]) => value !== undefined && value !== "" && <input type="hidden" name={name} value={value} />)}</>
  );
}
