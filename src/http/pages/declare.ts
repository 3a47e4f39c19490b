// Types and helpers to declare pages, files and form actions (in routes/pages/); router.ts serves them.
import { z } from 'zod';
import type { Role } from '../../core/store/members.ts';
import { leftOutOf } from '../../core/workspace/unknown-words.ts';
import type { Visit } from '../../core/workspace/visit.ts';
import type { Frame, PageContent, QueryMembers } from '../../pages/frame.ts';
import { backField, csrfField } from '../../pages/parts/controls.ts';

export interface PageDeclaration {
  readonly kind: 'page';
  /** Below the base. `{id}` and `{id}.md` match one segment. The JSON representation has `.json` appended. */
  readonly path: string;
  readonly needs: Role;
  model(visit: Visit): Promise<unknown>;
  view(model: unknown, frame: Frame): PageContent;
}

/** Declares a page: `model` makes its JSON representation, and `view` renders that. */
export function page<Model>(declared: {
  readonly path: string;
  readonly needs?: Role;
  model(visit: Visit): Promise<Model>;
  view(model: Model, frame: Frame): PageContent;
}): PageDeclaration {
  return {
    kind: 'page',
    path: declared.path,
    needs: declared.needs ?? 'viewer',
    model: (visit) => declared.model(visit),
    view: (model, frame) => ({
      leftOut: leftOutOf(model, frame.query),
      ...declared.view(model as Model, frame),
    }),
  };
}

export interface FileDeclaration {
  readonly kind: 'file';
  readonly path: string;
  readonly needs: Role;
  answer(visit: Visit): Promise<FileAnswer>;
}

export interface FileAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array | string;
  /** Without a name the file is shown instead of downloaded. */
  readonly filename?: string;
  /** Replaces the pages' policy for foreign content. */
  readonly contentSecurityPolicy?: string;
}

/** Declares a download or export; default role viewer. */
export function file(declared: Omit<FileDeclaration, 'kind' | 'needs'> & { needs?: Role }): FileDeclaration {
  return { needs: 'viewer', ...declared, kind: 'file' };
}

const nothing = z.object({});
export const sure = z.object({ sure: z.literal('yes', 'Confirm this first.') });

export interface ActDeclaration {
  readonly kind: 'act';
  readonly path: string;
  readonly needs: Role;
  /** Names accepted besides those of all forms; without the `[]` of lists. */
  readonly fields: readonly string[];
  act(visit: Visit, form: URLSearchParams): Promise<ActAnswer>;
}

/** A redirect, or a page shown directly because it has one-time content. */
export type ActAnswer =
  | { readonly to: string; readonly query?: QueryMembers; readonly notice?: string }
  | { readonly back: true; readonly notice?: string }
  | { readonly status: number; view(frame: Frame): PageContent };

/** Fields named `x[]` are lists. Invalid and unknown fields are refused with 400. */
export function act<Form extends z.ZodObject = z.ZodObject>(declared: {
  readonly path: string;
  readonly needs?: Role;
  readonly form?: Form;
  act(visit: Visit, form: z.infer<Form>): Promise<ActAnswer>;
}): ActDeclaration {
  const schema = declared.form ?? nothing;
  return {
    kind: 'act',
    path: declared.path,
    needs: declared.needs ?? 'member',
    fields: Object.keys(schema.shape),
    act: async (visit, sent) => declared.act(visit, readForm(schema, sent) as z.infer<Form>),
  };
}

export type Declaration = PageDeclaration | FileDeclaration | ActDeclaration;

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
  const [issue] = read.error.issues;
  throw new FormFault(String(issue?.path[0] ?? ''), issue?.message ?? 'The form could not be read.');
}

const ofEveryForm: readonly string[] = [csrfField, backField];
const namesShownMax = 20;
const nameCharactersMax = 100;

/** Throws for unknown fields, since ignoring them could change what is done. */
function refuseUnknownFields(schema: z.ZodObject, names: readonly string[]): void {
  const unknown = names.filter((name) => !ofEveryForm.includes(name) && !Object.hasOwn(schema.shape, name));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, namesShownMax).map((name) => name.slice(0, nameCharactersMax));
  throw new FormFault(shown.join(', '), 'This form has no such field. Nothing was changed.');
}

export class FormFault extends Error {
  override readonly name = 'FormFault';
  readonly field: string;

  constructor(field: string, why: string) {
    super(why);
    this.field = field;
  }
}
