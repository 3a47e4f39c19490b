// Texts that once did harm somewhere, dealt out to the fields of the program. The texts are data:
// tests/fixtures/attacks/attacks.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const fixture = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/attacks/attacks.json'), 'utf8'),
) as {
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly long: ReadonlyArray<{ readonly text: string; readonly times: number }>;
};

/** All that are of a usual length. */
export const attacks: readonly string[] = Object.values(fixture.texts).flat();
/** Those that are long. */
export const longAttacks: readonly string[] = fixture.long.map(({ text, times }) => text.repeat(times));

export interface Dealer {
  /**
   * The next text for a field, of those that it takes. The first that a field gets ends in a mark by which it
   * is known again; the mark is a comment to a script and to HTML.
   */
  next(field: string): string;
  /** So many, one after the other. */
  several(count: number, field: string): string[];
  /** The first text that a field got, mark and all. */
  marked(field: string): string;
  /** The fields that were dealt to. */
  readonly fields: Iterable<string>;
}

/** What is kept only where it has not these: the field is set aside, or the request refused. */
const forbidden: ReadonlyArray<readonly [field: RegExp, what: RegExp]> = [
  [/^(deploy|release)\.(version|environment)$/, /[/\\\p{Cc}]/u],
  [/^(event|feedback)\.environment$/, /[/\p{Cc}\u2028\u2029]/u],
  [/^(event|feedback)\.release$|^event\.(logger|tags)$|^report\./, /[\p{Cc}\u2028\u2029]/u],
];
const markedMax = 24;
/** Between where two fields begin; shares no factor with how many texts there are. */
const stride = 17;

/** Deals all attacks to each field in turn, to each from another place on. */
export function dealerOf(texts: readonly string[]): Dealer {
  const places = new Map<string, number>();
  const firsts = new Map<string, string>();
  const next = (field: string): string => {
    const isFirst = !places.has(field);
    const rule = forbidden.find(([pattern]) => pattern.test(field))?.[1];
    let at = places.get(field) ?? (places.size * stride) % texts.length;
    for (let tried = 0; tried < texts.length; tried += 1) {
      const text = texts[at % texts.length] ?? '';
      at += 1;
      if (rule?.test(text) === true || (isFirst && !canBeMarked(text))) continue;
      places.set(field, at);
      if (!isFirst) return text;
      firsts.set(field, `${text}<!--${field}`);
      return firsts.get(field) ?? text;
    }
    throw new Error(`${field} takes none of them`);
  };
  return {
    next,
    marked: (field) => firsts.get(field) ?? '',
    fields: { [Symbol.iterator]: () => places.keys() },
    several: (count, field) => Array.from({ length: count }, () => next(field)),
  };
}

/** Whether a text is still read whole where a page cuts it, mark and all. */
function canBeMarked(text: string): boolean {
  return text.length <= markedMax && /^[\x20-\x7e]+$/.test(text);
}
