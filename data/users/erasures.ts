import type { PersonalTerm } from '../../src/core/store/users.ts';
import { defaulted, integer, json, type RowOf, tableOf, text } from '../table.ts';

export const erasures = tableOf('user_erasures', {
  id: defaulted(integer),
  projectId: integer,
  userHash: text,
  newHash: text,
  terms: json<readonly PersonalTerm[]>(),
  step: text,
  afterId: integer,
  atMs: integer,
});

export type Erasure = RowOf<typeof erasures>;

export interface ErasedSlice {
  readonly rows: number;
  /** Where the next batch begins; null once nothing is left of the step. */
  readonly afterId: number | null;
}
