// One list of fields gives the HTML and the Zod schema of the posted data; limits come from the API's schema.
import { z } from 'zod';
import { type Attributes, type Content, el, html, type VNode } from '../el.ts';
import { type Choice, field, fieldBox, optionsOf } from './controls.ts';
import { statusMark } from './icons.ts';

/** How a field is displayed. A page may override parts of it. */
export interface FieldOptions {
  readonly label: string;
  readonly hint?: string;
  readonly choices?: readonly Choice[];
  /** Element id; the field's name by default. */
  readonly id?: string;
  /** Stands beside the control, such as `seconds`. */
  readonly unit?: string;
  readonly isOptional?: boolean;
  readonly class?: string;
  readonly missing?: string;
  readonly error?: string | undefined;
  readonly attributes?: Attributes;
}

export interface FormField<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly options: FieldOptions;
  show(name: string, options: FieldOptions, value: unknown): Content;
}

type Fields = Readonly<Record<string, FormField>>;

export interface Form<Of extends Fields = Fields> {
  readonly fields: Of;
  readonly schema: z.ZodObject<{ [Name in keyof Of]: Of[Name]['schema'] }>;
}

export type FormValues<Of extends Form> = z.infer<Of['schema']>;

/** Adds the HTML limits of the schema fields in `limits` with the same names. */
export function defineForm<Of extends Fields>(fields: Of, limits: z.core.$ZodLooseShape = {}): Form<Of> {
  const limited = Object.entries(fields).map(([name, { options, ...rest }]) => {
    const attributes = { ...limitsOf(limits[name]), ...options.attributes };
    return [name, { ...rest, options: { ...options, attributes } }];
  });
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema]);
  const schema = z.object(Object.fromEntries(schemas)) as Form<Of>['schema'];
  return { fields: Object.fromEntries(limited), schema };
}

function limitsOf(schema: z.core.SomeType | undefined): Attributes {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return limitsOf(schema.unwrap());
  if (schema instanceof z.ZodNumber) return { min: schema.minValue, max: schema.maxValue };
  if (!(schema instanceof z.ZodString)) return {};
  const maxlength = schema.maxLength ?? schema.meta()?.['maxLength'];
  return typeof maxlength === 'number' ? { maxlength } : {};
}

/** What was entered into a form that is shown again, and its errors, by field. */
export interface FormEntry {
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** Over the form, if more than one field is wrong; a page title tells one of them by its own text. */
export function formSummary({ fields }: Form, { errors }: FormEntry): VNode | null {
  return errorSummary(errors, (name) => fields[name]?.options.label ?? '');
}

export function errorSummary(errors: FormEntry['errors'], labelOf: (name: string) => string): VNode | null {
  const names = Object.keys(errors);
  if (names.length < 2 && names.every((name) => labelOf(name) !== '')) return null;
  const labels = names.map((name) => labelOf(name) || (errors[name] ?? ''));
  const changes = names.length === 1 ? '1 field needs a change' : `${names.length} fields need a change`;
  return html`<p class="wrong" role="alert">
    ${statusMark('failed', `${changes}: ${labels.join(', ').replace(/\.$/, '')}.`)}
  </p>`;
}

interface FormDisplay<Name extends string> {
  /** Values by field name: string, number, or array of lines. */
  readonly values?: object;
  /** Fields in this order; all by default. */
  readonly only?: readonly Name[];
  readonly fieldOptions?: { readonly [Each in Name]?: Partial<FieldOptions> | undefined };
  /** By field name. The first wrong one of the form has the focus. */
  readonly errors?: Readonly<Record<string, string>> | undefined;
}

export function formFields<Of extends Fields>(
  { fields }: Form<Of>,
  { values = {}, only, fieldOptions = {}, errors = {} }: FormDisplay<keyof Of & string> = {},
): Content[] {
  const names = only ?? (Object.keys(fields) as Array<keyof Of & string>);
  const entered = values as Readonly<Record<string, unknown>>;
  const first = Object.keys(fields).find((name) => errors[name] !== undefined);
  return names.map((name): Content => {
    const { options, show } = fields[name] as FormField;
    const attributes = {
      ...options.attributes,
      ...fieldOptions[name]?.attributes,
      autofocus: name === first,
    };
    const shown = { ...options, ...fieldOptions[name], attributes };
    return show(name, { ...shown, error: errorSentence(name, shown, errors[name]) }, entered[name]);
  });
}

/** The fields of a form that is shown for the first time, or again with what was entered and is wrong. */
export function enteredFields<Of extends Fields>(
  form: Form<Of>,
  entry: FormEntry | undefined,
  display: FormDisplay<keyof Of & string> = {},
): Content[] {
  if (entry === undefined) return formFields(form, display);
  return [
    formSummary(form, entry),
    ...formFields(form, { ...display, values: entry.values, errors: entry.errors }),
  ];
}

/** The API's errors begin with its name of the field: `status must be …`, `releases[2] must be …`. */
function errorSentence(
  name: string,
  { label, missing = 'Enter a value.' }: FieldOptions,
  error: string | undefined,
): string | undefined {
  if (error === '') return missing;
  if (error === undefined || !error.startsWith(name)) return error;
  const rest = error.slice(name.length);
  const [entry, at] = /^\[(\d+)\]/.exec(rest) ?? [];
  if (entry !== undefined) return `Line ${Number(at) + 1}${rest.slice(entry.length)}`;
  return rest.startsWith(' ') ? `${label}${rest}` : error;
}

type More = Partial<FieldOptions>;
const optionalTextSchema = z.string().optional();
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value ?? ''));

function input<Schema extends z.ZodType>(
  schema: Schema,
  options: FieldOptions,
  usual: Attributes,
): FormField<Schema> {
  return {
    schema,
    options,
    show(name, { id = name, attributes, ...rest }, value) {
      const valueAttribute = textOf(value) === '' ? {} : { value: textOf(value) };
      return field({ id, ...rest }, { name, ...valueAttribute, ...usual, ...attributes });
    },
  };
}

export function textField(label: string, more: More = {}): FormField<typeof optionalTextSchema> {
  return input(optionalTextSchema, { label, ...more }, { autocomplete: 'off' });
}

export function requiredTextField(label: string, missing: string, more: More = {}): FormField<z.ZodString> {
  return input(z.string(missing), { label, ...more }, { required: true, autocomplete: 'off' });
}

/** A required number. Its range is checked by the service. */
export function numberField(label: string, more: More = {}) {
  const schema = z.coerce.number('Enter a number.').optional();
  return input(schema, { label, ...more }, { type: 'number', required: true });
}

/** A file, which arrives as a data: URL (src/http/pages/forms.ts). A form with one is sent as multipart/form-data. */
export function fileField(
  label: string,
  accept: string,
  more: More = {},
): FormField<typeof optionalTextSchema> {
  return {
    schema: optionalTextSchema,
    options: { label, ...more },
    // What was chosen cannot be shown again.
    show: (name, { id = name, attributes, ...rest }) =>
      field({ id, ...rest }, { name, type: 'file', accept, ...attributes, maxlength: null }),
  };
}

export function textareaField(label: string, more: More = {}): FormField<typeof optionalTextSchema> {
  return {
    schema: optionalTextSchema,
    options: { label, ...more },
    show(name, { id = name, attributes, ...rest }, value) {
      return fieldBox({ id, ...rest }, (described) =>
        el('textarea', { id, name, rows: 2, ...attributes, ...described }, textOf(value)),
      );
    },
  };
}

/** The field of a form that posts one text under what was said before, such as a comment. */
export function textToPost(
  label: string,
  text: {
    readonly name: string;
    readonly rows: number;
    readonly placeholder: string;
    readonly value: unknown;
    readonly error: string | undefined;
  },
): Content[] {
  const { name, rows, placeholder, value, error } = text;
  const isWrong = error !== undefined;
  const described = isWrong
    ? { 'aria-describedby': 'say-wrong', 'aria-invalid': 'true', autofocus: true }
    : {};
  return [
    el('label', { class: 'vh', for: 'say' }, label),
    el(
      'textarea',
      { id: 'say', name, rows, maxlength: 10_000, required: true, placeholder, ...described },
      textOf(value),
    ),
    fieldErrorText('say', errorSentence(name, { label }, error)),
  ];
}

/** A select. Choices come from `more` or from the page. */
export function selectField<Schema extends z.ZodType>(label: string, schema: Schema, more: More = {}) {
  return {
    schema,
    options: { label, ...more },
    show(
      name: string,
      { id = name, choices = [], attributes, ...rest }: FieldOptions,
      value: unknown,
    ): Content {
      const chosen = value === undefined ? null : String(value);
      return fieldBox({ id, ...rest }, (described) =>
        el('select', { id, name, ...attributes, ...described }, ...optionsOf(choices, chosen)),
      );
    },
  };
}

export function choicesFromLabels(labels: Readonly<Record<string, string>>): Choice[] {
  return Object.entries(labels).map(([value, name]) => ({ value, name }));
}

export const checkboxSchema = z.literal('on').optional();

export function checkboxField(label: string, more: More = {}): FormField<typeof checkboxSchema> {
  return {
    schema: checkboxSchema,
    options: { label, ...more },
    show: (name, options, value) =>
      html`<label class="check">
        <input type="checkbox" name=${name} value="on" checked=${value === true || value === 'on'} />
        ${' '}${options.label}
      </label>`,
  };
}

export function optionLabel(input: Attributes, title: Content, description: Content = ''): VNode {
  const small = description === '' ? null : el('small', { class: 'soft' }, description);
  return el('label', null, el('input', input), el('span', null, title, small));
}

export function radioField<Schema extends z.ZodType>(
  label: string,
  schema: Schema,
  all: ReadonlyArray<readonly [value: string, title: string, words: string]>,
  more: More = {},
): FormField<Schema> {
  return {
    schema,
    options: { label, ...more },
    show: (name, { id = name, label: shown, attributes: { autofocus, ...attributes } = {}, error }, chosen) =>
      html`<fieldset class="choose" aria-describedby=${error === undefined ? null : `${id}-wrong`}>
        <legend class="label" ...${attributes}>${shown}</legend>
        ${all.map(([value, title, description], at) => {
          const isFocused = at === 0 && autofocus === true;
          const input = {
            type: 'radio',
            name,
            value,
            checked: value === String(chosen),
            autofocus: isFocused,
          };
          return optionLabel(input, title, description);
        })}
        ${fieldErrorText(id, error)}
      </fieldset>`,
  };
}

/** Under a group of inputs, which it describes. */
export function fieldErrorText(id: string, error: string | undefined): VNode | null {
  return error === undefined
    ? null
    : el('p', { class: 'wrong', id: `${id}-wrong` }, statusMark('failed', error));
}

export function parseOnlyField<Schema extends z.ZodType>(schema: Schema): FormField<Schema> {
  return { schema, options: { label: '' }, show: () => null };
}
