// All stored text goes through here, so the same rules and the project's field names apply everywhere.

import { hash } from 'node:crypto';
import type { ProjectScrubSettings } from '../store/projects.ts';
import { filteredText } from './table/patterns.ts';
import { createScrubState, type ScrubState, scrubString } from './text.ts';
import { scrubField, scrubFileNames, scrubNamedText, scrubValue } from './values.ts';

/** As `TextKind`. `kept`: validated or signed. A function returns undefined to drop the field. */
export type FieldKind<State extends ScrubState = ScrubState> =
  | 'text'
  | 'version'
  | 'name'
  | 'identity'
  | 'kept'
  | ((value: unknown, state: State) => unknown);

/** Makes adding a field a type error until its kind is stated. */
export type FieldKinds<Kind extends object> = { readonly [Field in keyof Kind]-?: FieldKind };

/** Names of the record's own fields are not judged, names inside its objects and lists are. Linear. */
export function scrubRecord<Kind extends object>(
  record: Kind,
  kinds: FieldKinds<Kind>,
  project: ProjectScrubSettings,
): Kind {
  return scrubFieldsByKind(
    record,
    kinds as Readonly<Record<string, FieldKind>>,
    createScrubState(project),
    {},
  ) as Kind;
}

/** Judges the names of fields without a kind. Writes into `clean` and adds to `state.count`. */
export function scrubFieldsByKind<State extends ScrubState>(
  record: object,
  kinds: Readonly<Record<string, FieldKind<State>>>,
  state: State,
  clean: Record<string, unknown>,
): Record<string, unknown> {
  for (const [field, value] of Object.entries(record)) {
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
    if (kind === undefined) {
      scrubField(clean, field, value, state, 1, 'text');
    } else {
      const scrubbed = scrubKind(value, kind, state);
      if (scrubbed !== undefined) clean[field] = scrubbed;
    }
  }
  return clean;
}

function scrubKind<State extends ScrubState>(value: unknown, kind: FieldKind<State>, state: State): unknown {
  if (typeof kind === 'function') return kind(value, state);
  if (kind === 'kept') return value;
  if (kind === 'name') return scrubFileNames(value, state, 1);
  if (kind === 'identity' && typeof value === 'string') return identityOf(value, state);
  if (kind === 'version' && typeof value === 'string') return scrubString(value, state, 'version');
  return scrubValue(value, state, 1, kind === 'version' ? 'version' : 'text');
}

/** For free text; JSON in it is read as JSON. */
export function scrubProjectText(text: string, project: ProjectScrubSettings): string {
  return scrubValue(text, createScrubState(project), 1, 'text') as string;
}

/** For versions: dotted numbers are not IP addresses. */
export function scrubVersion(text: string, project: ProjectScrubSettings): string {
  return scrubString(text, createScrubState(project), 'version');
}

/** For file names and URLs: only links and known token forms are searched. */
export function scrubFileName(text: string, project: ProjectScrubSettings): string {
  return scrubString(text, createScrubState(project), 'name');
}

/** For a field with a name from the client, which is judged. */
export function scrubNamedValue(
  name: string,
  value: string,
  project: ProjectScrubSettings,
): [string, string] {
  return scrubNamedText(name, value, createScrubState(project), 'text');
}

const markHexDigits = 16;

/** For a text that identifies duplicates: part of a digest replaces its secret. */
export function scrubIdentity(text: string, project: ProjectScrubSettings): string {
  return identityOf(text, createScrubState(project));
}

function identityOf(text: string, state: ScrubState): string {
  const clean = scrubValue(text, state, 1, 'text') as string;
  return clean === text ? text : `${clean} #${hash('sha256', text).slice(0, markHexDigits)}`;
}

const loggedDepthMax = 6;

/** For fields of a log line. IP addresses are kept; those of visitors are never logged. */
export function scrubLogFields(fields: Record<string, unknown>): Record<string, unknown> {
  return withoutSecrets(fields, createScrubState(null), 0) as Record<string, unknown>;
}

/** For the body or message of an error response, which may quote the request. */
export function scrubErrorBody<Kind>(value: Kind): Kind {
  return withoutSecrets(value, createScrubState(null), 0) as Kind;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** For a query parameter that a response repeats. */
export function scrubQueryParameter(name: string, value: string): [name: string, value: string] {
  return scrubNamedText(name, value, createScrubState(null), 'version');
}

function withoutSecrets(value: unknown, state: ScrubState, depth: number): unknown {
  if (typeof value === 'string') return scrubString(value, state, 'version');
  // Deeper than anything that we log or return.
  if (depth >= loggedDepthMax && typeof value === 'object' && value !== null) return filteredText;
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry, state, depth + 1));
  if (value instanceof Map) {
    const entries = [...value].map(([name, member]): [unknown, unknown] => [
      withoutSecrets(name, state, depth + 1),
      withoutSecrets(member, state, depth + 1),
    ]);
    return new Map(entries);
  }
  if (!isPlainObject(value)) return value;
  const clean: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    clean[scrubString(name, state, 'version')] = withoutSecrets(member, state, depth + 1);
  }
  return clean;
}
