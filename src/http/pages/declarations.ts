// Types and helpers to declare pages, files and form actions (in routes/pages/); router.ts serves them.
import { z } from 'zod';
import { RestError } from '../../core/errors.ts';
import { findIgnoredParams } from '../../core/page-models/ignored-filters.ts';
import type { RequestContext } from '../../core/page-models/request-context.ts';
import { toLocalPath } from '../../core/parsing/web-url.ts';
import type { Role } from '../../core/store/members.ts';
import { csrfField, returnToField } from '../../web/components/controls.ts';
import type { FormEntry } from '../../web/components/form.ts';
import type { PageContent, PageContext, QueryParams } from '../../web/page-context.ts';

export interface PageDeclaration {
  readonly kind: 'page';
  /** Below the base. `{id}` and `{id}.md` match one segment. The JSON representation has `.json` appended. */
  readonly path: string;
  readonly requiredRole: Role;
  model(context: RequestContext): Promise<unknown>;
  view(model: unknown, pageContext: PageContext): PageContent;
}

/** Declares a page: `model` makes its JSON representation, and `view` renders that. */
export function page<Model>(
  path: string,
  requiredRole: Role,
  model: (context: RequestContext) => Promise<Model>,
  view: (model: Model, pageContext: PageContext) => PageContent,
): PageDeclaration {
  return {
    kind: 'page',
    path,
    requiredRole,
    model,
    view: (shown, pageContext) => ({
      leftOut: findIgnoredParams(shown, pageContext.query),
      ...view(shown as Model, pageContext),
    }),
  };
}

export interface FileDeclaration {
  readonly kind: 'file';
  readonly path: string;
  readonly requiredRole: Role;
  answer(context: RequestContext): Promise<FileResponse>;
}

export interface FileResponse {
  readonly contentType: string;
  readonly bytes: Uint8Array | string;
  /** Without a name the file is shown instead of downloaded. */
  readonly filename?: string;
  /** Replaces the pages' policy for foreign content. */
  readonly contentSecurityPolicy?: string;
}

export function file(path: string, requiredRole: Role, answer: FileDeclaration['answer']): FileDeclaration {
  return { kind: 'file', path, requiredRole, answer };
}

export const noForm = z.object({});
export const confirmationForm = z.object({ sure: z.literal('yes', 'Confirm this first.') });

export interface ActionDeclaration {
  readonly kind: 'act';
  readonly path: string;
  readonly requiredRole: Role;
  /** Names accepted besides those of all forms; without the `[]` of lists. */
  readonly fields: readonly string[];
  handler(context: RequestContext, form: URLSearchParams): Promise<ActionResult>;
}

/** A redirect, or a page shown directly because it has one-time content. */
export type ActionResult =
  | { readonly to: string; readonly query?: QueryParams; readonly notice?: string; readonly hash?: string }
  | { readonly back: true; readonly notice?: string }
  | { readonly status: number; view(pageContext: PageContext): PageContent };

export function goBack(notice?: string): ActionResult {
  return { back: true, ...(notice === undefined ? {} : { notice }) };
}

export function showPage(view: (pageContext: PageContext) => PageContent, status = 200): ActionResult {
  return { status, view };
}

/** Fields named `x[]` are lists. Invalid and unknown fields are refused with 400. */
export function action<Form extends z.ZodObject, Model = unknown>(
  path: string,
  requiredRole: Role,
  form: Form,
  handler: (context: RequestContext, form: z.infer<Form>) => Promise<ActionResult>,
  {
    onInvalid,
    fieldOf = {},
  }: {
    /** Shows the form again with its errors; without it an error page is shown. */
    readonly onInvalid?: {
      model(context: RequestContext, entry: FormEntry): Promise<Model>;
      view(model: Model, pageContext: PageContext, entry: FormEntry): PageContent;
    };
    /** The field of the form that an error is about, by the error's code or its own name of the field. */
    readonly fieldOf?: Readonly<Record<string, string>>;
  } = {},
): ActionDeclaration {
  return {
    kind: 'act',
    path,
    requiredRole,
    fields: Object.keys(form.shape),
    async handler(context, sent) {
      try {
        return await handler(context, readForm(form, sent) as z.infer<Form>);
      } catch (error) {
        const errors = onInvalid === undefined ? null : fieldErrorsOf(error, fieldOf);
        if (onInvalid === undefined || errors === null) throw error;
        const entry = { values: enteredValues(sent), errors };
        const model = await onInvalid.model(context, entry);
        return {
          status: 400,
          view: (pageContext) => onInvalid.view(model, { ...pageContext, ...pageOfForm(sent) }, entry),
        };
      }
    },
  };
}

/** The forms of a page that answers a form return to where that form was, as there is no page at its own address. */
function pageOfForm(sent: URLSearchParams): Pick<PageContext, 'path' | 'query'> {
  const [path = '/', query] = toLocalPath(sent.get(returnToField)).split('?', 2);
  return { path, query: new URLSearchParams(query) };
}

/** Empty for a field that is missing. Null for an error that no field is to blame for. */
function fieldErrorsOf(
  error: unknown,
  fieldOf: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | null {
  if (error instanceof FormError) return error.errors;
  if (!(error instanceof RestError)) return null;
  const params: unknown = error.extra['params'];
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [fieldOf[name] ?? name, '']));
  if (typeof params === 'object' && params !== null) {
    const entries = Object.entries(params as Record<string, string>).map(([name, message]) => {
      const field = fieldOf[name] ?? name;
      // A form knows its own names in such a sentence.
      return [field, message.startsWith(`${name} `) ? field + message.slice(name.length) : message] as const;
    });
    return Object.fromEntries(entries);
  }
  const field = fieldOf[error.code];
  return field === undefined ? null : { [field]: error.message };
}

/** Without the token, by the names of the fields. */
function enteredValues(sent: URLSearchParams): FormEntry['values'] {
  const names = [...new Set(sent.keys())].filter((name) => !ofEveryForm.includes(name));
  return Object.fromEntries(
    names.map((name) => {
      const values = sent.getAll(name);
      return name.endsWith('[]') ? [name.slice(0, -2), values] : [name, values[0] ?? ''];
    }),
  );
}

export type Declaration = PageDeclaration | FileDeclaration | ActionDeclaration;

function readForm<Form extends z.ZodObject>(schema: Form, sent: URLSearchParams): z.infer<Form> {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(sent.keys())) {
    // Browsers send CRLF, but count one character for `maxlength`.
    const values = sent.getAll(name).map((value) => value.replaceAll('\r\n', '\n'));
    const isList = name.endsWith('[]');
    const [value = ''] = values;
    if (isList) fields[name.slice(0, -2)] = values;
    else if (value !== '') fields[name] = value;
  }
  refuseUnknownFields(schema, Object.keys(fields));
  const read = schema.safeParse(fields);
  if (read.success) return read.data;
  const issues = read.error.issues.map(({ path, message }) => [String(path[0] ?? ''), message] as const);
  const [[field, firstMessage] = ['', 'The form could not be read.']] = issues;
  // Of several errors of a field the first is shown.
  throw new FormError(field, firstMessage, Object.fromEntries(issues.toReversed()));
}

const ofEveryForm: readonly string[] = [csrfField, returnToField];
const namesShownMax = 20;
const nameCharactersMax = 100;

/** Throws for unknown fields, since ignoring them could change what is done. */
function refuseUnknownFields(schema: z.ZodObject, names: readonly string[]): void {
  const unknown = names.filter((name) => !ofEveryForm.includes(name) && !Object.hasOwn(schema.shape, name));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, namesShownMax).map((name) => name.slice(0, nameCharactersMax));
  throw new FormError(shown.join(', '), 'This form has no such field. Nothing was changed.');
}

export class FormError extends Error {
  override readonly name = 'FormFault';
  readonly field: string;
  /** What is wrong with each field; null if the form itself is. */
  readonly errors: Readonly<Record<string, string>> | null;

  constructor(field: string, message: string, errors: FormError['errors'] = null) {
    super(message);
    this.field = field;
    this.errors = errors;
  }
}
