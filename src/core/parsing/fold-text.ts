// Case folding for search: ignores case, Unicode composition, width and ligatures. data/search.ts uses it.

/** ASCII, which both databases fold alike. NUL is excluded because it ends a text in SQLite's LIKE. */
const plainText = /^[\u0001-\u007f]*$/;

/** Separates texts that are searched together; a noncharacter that no folded text contains. */
const border = '\uffff';

// NFKD would turn single Korean letters into parts of syllables: `ㅋ` would not be found in `ㅋㅠ`.
const loneJamo = /[\u3131-\u318e\uffa0-\uffdc]/;
const allButLoneJamo = /[^\u3131-\u318e\uffa0-\uffdc]+/g;

// Greek iota subscript, replaced by the letter before NFD orders it after all other marks.
const iotaBelow = /[\u0345\u037a\u1f80-\u1ffc]/;

// `İ` `I` `ı` `i` all fold to `i`. The dot must follow non-spacing marks only, or it is another character's.
const dotAboveI = /(i\p{Mn}*?)\u0307/gu;

/** Ordering many accents is quadratic; more than this are not text. */
const accentsMax = 64;
const pileOfAccents = new RegExp(`(\\p{M}{${accentsMax}})\\p{M}+`, 'gu');
/** Below this length stacked accents cost less than looking for them. */
const lowPileUnits = 1024;

/** Unicode compatibility caseless match (3.13, D146) plus Turkish i; accents count. Linear. A part of a text cut
 * between characters folds to a part of the folded text. */
export function foldCase(text: string): string {
  if (plainText.test(text)) return text.toLowerCase();
  const low = text.length > lowPileUnits ? text.replaceAll(pileOfAccents, '$1') : text;
  const signs = low.toWellFormed().replaceAll(/[\0\uffff]/g, '\ufffd');
  const letters = decompose(withoutIotaBelow(signs));
  // Via upper case, in which `ß` is `SS`; `ẞ` is upper case already.
  const cased = letters.replaceAll('ẞ', 'ß').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const undotted = letters.includes('\u0307') ? cased.normalize('NFD').replaceAll(dotAboveI, '$1') : cased;
  return undotted.normalize('NFC');
}

function withoutIotaBelow(text: string): string {
  if (!iotaBelow.test(text)) return text;
  return text.replaceAll('\u037a', ' \u0345').normalize('NFD').replaceAll('\u0345', 'ι');
}

function decompose(text: string): string {
  if (!loneJamo.test(text)) return text.normalize('NFKD');
  return text.replaceAll(allButLoneJamo, (run) => run.normalize('NFKD'));
}

/** The folded texts joined, or null if all are ASCII, because then SQL can fold them. */
export function foldSearchTexts(texts: ReadonlyArray<string | null>): string | null {
  if (texts.every((text) => text === null || plainText.test(text))) return null;
  return texts.map((text) => (text === null ? '' : foldCase(text))).join(border);
}
