// How a route is described in the OpenAPI document, and short forms for the usual kinds of route.
import { z } from 'zod';
import type { ResourceName } from '../../core/errors.ts';

export interface Answer {
  readonly what: string;
  /** Null for an answer without JSON. */
  readonly schema: z.ZodType | null;
  /** Media type of an answer that is not JSON. */
  readonly type?: string;
  /** Media type, beside JSON, of the same answer to a request of that type. */
  readonly otherType?: string;
  readonly headers?: readonly AnswerHeader[];
}

export type AnswerHeader = 'X-WP-Total' | 'X-WP-TotalPages' | 'Link' | 'ETag' | 'Content-Disposition';

/** JSON Schema by media type, for bodies that the route's schema does not describe. */
type Bodies = Readonly<Record<string, z.ZodType>>;

export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag?: string;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Codes besides those of the credential, the limits, the arguments and the ids in the path. */
  readonly errors?: Readonly<Record<number, readonly string[]>>;
  readonly bodies?: Bodies;
  /** Files of a multipart form, beside the fields of the route's schema. */
  readonly files?: z.ZodObject;
  /** Parameters of the path that differ from `pathParameters`, and those of the query that no schema names. */
  readonly path?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
}

type Rest = Partial<Omit<Operation, 'id' | 'summary' | 'answers'>>;

const listHeaders = ['X-WP-Total', 'X-WP-TotalPages', 'Link'] as const;

export function lists(id: string, summary: string, row: z.ZodType, rest: Rest = {}): Operation {
  const answer = { what: 'One page of the list.', schema: z.array(row), headers: listHeaders };
  return { id, summary, answers: { 200: answer }, ...rest };
}

export function shows(id: string, summary: string, view: z.ZodType, rest: Rest = {}): Operation {
  return { id, summary, answers: { 200: { what: 'Found.', schema: view } }, ...rest };
}

/** `repeatDescription`: what 200 says, where the same request may come twice. */
export function creates(
  id: string,
  summary: string,
  view: z.ZodObject,
  { repeatDescription, ...rest }: Rest & { readonly repeatDescription?: string } = {},
): Operation {
  const schema = accepted(view);
  const repeated = repeatDescription === undefined ? {} : { 200: { what: repeatDescription, schema } };
  return { id, summary, answers: { 201: { what: 'Created.', schema }, ...repeated }, ...rest };
}

export function updates(id: string, summary: string, view: z.ZodObject, rest: Rest = {}): Operation {
  return { id, summary, answers: { 200: { what: 'Updated.', schema: accepted(view) } }, ...rest };
}

export function deletes(id: string, summary: string, view: z.ZodType, rest: Rest = {}): Operation {
  const schema = z.object({ deleted: z.literal(true), previous: view });
  return { id, summary, answers: { 200: { what: 'Deleted; previous is what it was.', schema } }, ...rest };
}

export function accepted(view: z.ZodObject): z.ZodObject {
  return z.object({ accepted: z.literal(true), ...view.shape });
}

export function notFound(...resources: readonly ResourceName[]): { readonly 404: readonly string[] } {
  return { 404: resources.map((name) => `notifier_${name}_invalid_id`) };
}
