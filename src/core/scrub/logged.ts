// What goes to the log or back to a caller in a refusal: texts that may quote what was sent (D-80).
import { filtered, type ScrubState, scrubString, stateOf } from './text.ts';
import { scrubNamed } from './values.ts';

const depthMax = 6;

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
  if (depth >= depthMax && typeof value === 'object' && value !== null) return filtered;
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
