// Records of known fields without secrets and addresses: events, releases, deploys, artifacts, test runs, bug
// reports, and single texts of these. Every text that is stored goes through here, so that one set of rules
// and the project's own names hold everywhere (D-80).

import { hash } from 'node:crypto';
import type { ScrubbedProject } from '../store/projects.ts';
import { filtered } from './table/patterns.ts';
import { type ScrubState, scrubString, stateOf } from './text.ts';
import { scrubField, scrubNamed, scrubNames, scrubValue } from './values.ts';

/**
 * What a field holds, and so how it is read: `text`, a text or any JSON, whose texts are searched and whose
 * names are judged; `version`, the same, but dotted numbers are no addresses of people; `name`, names of
 * files, modules and functions, in which only links and known forms hold secrets; `identity`, a text by which
 * a repeat is known (`scrubIdentity`); `kept`, what was checked before, or is kept as it was signed. A field
 * of another kind brings its own function, which answers undefined where nothing is to be kept.
 */
export type FieldKind<State extends ScrubState = ScrubState> =
  | 'text'
  | 'version'
  | 'name'
  | 'identity'
  | 'kept'
  | ((value: unknown, state: State) => unknown);

/** The kind of each field: whoever adds a field to a record has to say what becomes of its texts. */
export type FieldKinds<Kind extends object> = { readonly [Field in keyof Kind]-?: FieldKind };

/**
 * A copy of a record whose texts hold no secrets. The names of its own fields promise nothing, whatever the
 * project's list says; those inside of its objects and lists do. Linear in the size of the record.
 */
export function scrubRecord<Kind extends object>(
  record: Kind,
  kinds: FieldKinds<Kind>,
  project: ScrubbedProject,
): Kind {
  return scrubByKind(record, kinds as Readonly<Record<string, FieldKind>>, stateOf(project), {}) as Kind;
}

/**
 * The same into `clean`, for a record that may hold fields which have no kind: their names are the sender's,
 * and are judged. `state.count` goes up by each hit.
 */
export function scrubByKind<State extends ScrubState>(
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
      const kept = scrubKind(value, kind, state);
      if (kept !== undefined) clean[field] = kept;
    }
  }
  return clean;
}

function scrubKind<State extends ScrubState>(value: unknown, kind: FieldKind<State>, state: State): unknown {
  if (typeof kind === 'function') return kind(value, state);
  if (kind === 'kept') return value;
  if (kind === 'name') return scrubNames(value, state, 1);
  if (kind === 'identity' && typeof value === 'string') return identityOf(value, state);
  if (kind === 'version' && typeof value === 'string') return scrubString(value, state, 'version');
  return scrubValue(value, state, 1, kind === 'version' ? 'version' : 'text');
}

/** Free text: a sentence, a message, what a program printed; JSON in it is read as JSON. */
export function scrubProjectText(text: string, project: ScrubbedProject): string {
  return scrubValue(text, stateOf(project), 1, 'text') as string;
}

/**
 * A version, or another name in which dotted numbers are no addresses; the same in events, releases and
 * artifacts.
 */
export function scrubVersion(text: string, project: ScrubbedProject): string {
  return scrubString(text, stateOf(project), 'version');
}

/** The address or name of a file, in which only links and known forms hold secrets. */
export function scrubFileName(text: string, project: ScrubbedProject): string {
  return scrubString(text, stateOf(project), 'name');
}

/** A field that has a name of the sender's own: its value goes where the name says so. */
export function scrubPair(name: string, value: string, project: ScrubbedProject): [string, string] {
  return scrubNamed(name, value, stateOf(project), 'text');
}

const markHexDigits = 16;

/**
 * A name by which a repeat is known. Two that differ in their secret alone stay two: what was taken out is
 * marked by the beginning of a digest of the whole.
 */
export function scrubIdentity(text: string, project: ScrubbedProject): string {
  return identityOf(text, stateOf(project));
}

function identityOf(text: string, state: ScrubState): string {
  const clean = scrubValue(text, state, 1, 'text') as string;
  return clean === text ? text : `${clean} #${hash('sha256', text).slice(0, markHexDigits)}`;
}

// What goes to the log or back to a caller in a refusal: texts that may quote what was sent (D-80).

const loggedDepthMax = 6;

/**
 * The fields of a line of the log without secrets. Field names are ours and promise nothing; addresses stay,
 * which an operator needs: those of visitors are never given to the log.
 */
export function scrubLogged(fields: Record<string, unknown>): Record<string, unknown> {
  return withoutSecrets(fields, stateOf(null), 0) as Record<string, unknown>;
}

/** The body of a refusal, or a sentence of it, without secrets; what is no text stays as it is. */
export function scrubRefusal<Kind>(value: Kind): Kind {
  return withoutSecrets(value, stateOf(null), 0) as Kind;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  // That of an object as it is written, or the empty one of our own records.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A parameter of a query as an answer may repeat it. */
export function scrubParameter(name: string, value: string): [name: string, value: string] {
  return scrubNamed(name, value, stateOf(null), 'version');
}

function withoutSecrets(value: unknown, state: ScrubState, depth: number): unknown {
  if (typeof value === 'string') return scrubString(value, state, 'version');
  // Deeper than anything of ours: nobody looks, so nobody is shown it.
  if (depth >= loggedDepthMax && typeof value === 'object' && value !== null) return filtered;
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
