// How pages and acts are declared. routes/pages/ holds the declarations; router.ts serves them.
import { z } from 'zod';
import type { Role } from '../../core/store/members.ts';
import { leftOutOf } from '../../core/workspace/unknown-words.ts';
import type { Visit } from '../../core/workspace/visit.ts';
import type { Frame, PageContent, QueryMembers } from '../../pages/frame.ts';
import { backField, csrfField } from '../../pages/parts/controls.ts';

/** A page: its address, who may see it, what it shows, and how. */
export interface PageDeclaration {
  readonly kind: 'page';
  /** Below the base; `{id}` stands for one part of the path, `{id}.md` for one with that ending. The twin has
   * `.json` behind it. */
  readonly path: string;
  readonly needs: Role;
  /** What the `.json` twin says. */
  model(visit: Visit): Promise<unknown>;
  /** The page, of nothing but what the twin says and the frame. */
  view(model: unknown, frame: Frame): PageContent;
}

/**
 * Declares a page: `model` makes what the `.json` twin says, plain JSON in the API's spelling, and `view`
 * makes the page of nothing but that and the frame.
 */
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
    // What it is given is what its own model said.
    view: (model, frame) => ({
      leftOut: leftOutOf(model, frame.query),
      ...declared.view(model as Model, frame),
    }),
  };
}

/** Something else that is asked for: a download, an export. */
export interface FileDeclaration {
  readonly kind: 'file';
  readonly path: string;
  readonly needs: Role;
  answer(visit: Visit): Promise<FileAnswer>;
}

export interface FileAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array | string;
  /** Saved under this name; without one it is shown. */
  readonly filename?: string;
  /** In place of the pages' own policy, for what came from outside. */
  readonly contentSecurityPolicy?: string;
}

/** Declares what is no page: bytes with their type. */
export function file(declared: Omit<FileDeclaration, 'kind' | 'needs'> & { needs?: Role }): FileDeclaration {
  return { needs: 'viewer', ...declared, kind: 'file' };
}

/** The form of what is done without a word more. */
const nothing = z.object({});
/** The form of what asks before it is done. */
export const sure = z.object({ sure: z.literal('yes', 'Say that you are sure.') });

/** An act: a form that is posted to a thing. */
export interface ActDeclaration {
  readonly kind: 'act';
  readonly path: string;
  readonly needs: Role;
  /** What its form may send, beside what every form carries: a list without the `[]` behind its name. */
  readonly fields: readonly string[];
  act(visit: Visit, form: URLSearchParams): Promise<ActAnswer>;
}

/** Where an act leads: to a page, or to one that is shown at once because it shows something only once. */
export type ActAnswer =
  | { readonly to: string; readonly query?: QueryMembers; readonly notice?: string }
  | { readonly back: true; readonly notice?: string }
  | { readonly status: number; view(frame: Frame): PageContent };

/**
 * Declares an act. `form` says which fields there are, none unless said; one that repeats is a list where the
 * schema wants one. What does not fit is refused with 400 in the words of the schema, as is a field that it
 * does not have, and nothing is done.
 */
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
    // A browser counts the end of a line as one character, and sends two.
    const values = sent.getAll(name).map((value) => value.replaceAll('\r\n', '\n'));
    const isList = name.endsWith('[]');
    // A field that was left empty was not filled in.
    const [value = ''] = values;
    if (isList) fields[name.slice(0, -2)] = values;
    else if (value !== '') fields[name] = value;
  }
  refuseUnknownFields(schema, Object.keys(fields));
  const read = schema.safeParse(fields);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new FormFault(String(issue?.path[0] ?? ''), issue?.message ?? 'It could not be read.');
}

/** What every form of these pages carries. */
const ofEveryForm: readonly string[] = [csrfField, backField];
const namesShownMax = 20;
const nameCharactersMax = 100;

/** Throws for what the form does not have: to ignore it would change what is asked. */
function refuseUnknownFields(schema: z.ZodObject, names: readonly string[]): void {
  const unknown = names.filter((name) => !ofEveryForm.includes(name) && !Object.hasOwn(schema.shape, name));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, namesShownMax).map((name) => name.slice(0, nameCharactersMax));
  throw new FormFault(shown.join(', '), 'This form has no such field. Nothing was changed.');
}

/** A field that does not fit its form. */
export class FormFault extends Error {
  override readonly name = 'FormFault';
  readonly field: string;

  constructor(field: string, why: string) {
    super(why);
    this.field = field;
  }
}
