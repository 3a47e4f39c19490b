// Finds and removes the values by which stored texts name a person (docs/personal-data.md, "What is erased").
import { foldCase } from '../parsing/fold-text.ts';
import { createJsonObject, getOwn, isJsonObject } from '../parsing/unknown-values.ts';
import type { PersonalTerm } from '../store/users.ts';
import { identityNames } from './identity.ts';

const erasedText = '[erased]';

const termsMax = 200;
const termCharactersMax = 300;
/** Shorter values could mean anything: only the user object of an event loses them. */
const charactersMin = 4;
const distinctCharactersMin = 5;

export function termsOfUser(user: unknown): PersonalTerm[] {
  if (!isJsonObject(user)) return [];
  return identityNames.flatMap((name) => {
    const value = getOwn(user, name);
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text.trim() !== '' ? [{ name, value: text.trim() }] : [];
  });
}

/** Without repetitions; at most 200, the first ones. */
export function joinTerms(...lists: ReadonlyArray<readonly PersonalTerm[]>): PersonalTerm[] {
  const known = new Map<string, PersonalTerm>();
  for (const term of lists.flat()) {
    if (known.size >= termsMax) break;
    if (term.value.length > termCharactersMax) continue;
    const key = `${term.name}\n${term.value.toLowerCase()}`;
    if (!known.has(key)) known.set(key, term);
  }
  return [...known.values()];
}

export interface Eraser {
  text(text: string): string;
  /** A copy of JSON data, names included. Numbers are compared in tags and application data. */
  json<Value>(value: Value): Value;
  contains(text: string): boolean;
}

/** `own`: for what the person sent; all terms. `elsewhere`: only terms that can hardly mean anything else, so neither
 * words such as `admin` nor an address that a network shares. */
export function createEraser(terms: readonly PersonalTerm[], scope: 'own' | 'elsewhere'): Eraser {
  const used = scope === 'own' ? terms : terms.filter(isDistinct);
  const forms = [...new Set(used.flatMap(formsOf))]
    .filter((form) => form.length >= charactersMin)
    .sort((one, other) => other.length - one.length);
  const numbers = new Set(forms);
  const pattern =
    forms.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${forms.map(escaped).join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  const text = (input: string): string => (pattern === null ? input : input.replace(pattern, erasedText));
  const json = (value: unknown, isData: boolean): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return isData && numbers.has(String(value)) ? erasedText : value;
    if (Array.isArray(value)) return value.map((each) => json(each, isData));
    if (!isJsonObject(value)) return value;
    const copy = createJsonObject();
    for (const [key, each] of Object.entries(value)) {
      const isKept = !isData && ownFields.has(key);
      copy[text(key)] = isKept ? each : json(each, isData || dataFields.has(key));
    }
    return copy;
  };
  return {
    text,
    json: <Value>(value: Value) => json(value, false) as Value,
    contains: (input) => text(input) !== input,
  };
}

/** Fields of events whose values the program reads; none of them names a person. */
const ownFields: ReadonlySet<string> = new Set(
  'event_id timestamp level platform sdk modules debug_meta release dist environment lineno colno'.split(' '),
);
const dataFields: ReadonlySet<string> = new Set('tags extra contexts request data vars metadata'.split(' '));

function isDistinct({ name, value }: PersonalTerm): boolean {
  if (name === 'ip_address') return false;
  return value.length >= distinctCharactersMin && (name === 'email' || /[^\p{L}]/u.test(value));
}

/** As written, in URLs, and as search texts fold it. */
function formsOf({ value }: PersonalTerm): string[] {
  return [value, encodeURIComponent(value.toWellFormed()), foldCase(value)];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
