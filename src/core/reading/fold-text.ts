// Text as a search compares it: one spelling for upper and lower case, for composed and decomposed
// characters, for full-width forms and ligatures (D-118). What is searched, and how, stands in
// data/search.ts.

/** ASCII, which both databases fold alike. NUL, which ends a text for SQLite's LIKE, is not part of it. */
const plainText = /^[\u0001-\u007f]*$/;

/** Stands between texts that are searched together. No folded text holds it: it is no character. */
const border = '\uffff';

/**
 * Letters of the Korean alphabet that stand alone. NFKD would make parts of a syllable of them and NFC one
 * syllable of two such parts: `ㅋ` would not be found in `ㅋㅠ`.
 */
const loneJamo = /[\u3131-\u318e\uffa0-\uffdc]/;
const allButLoneJamo = /[^\u3131-\u318e\uffa0-\uffdc]+/g;

/**
 * The iota below a Greek letter is a mark that stands behind all others, and in upper case a letter before
 * them: it is that letter before marks are put in order.
 */
const iotaBelow = /[\u0345\u037a\u1f80-\u1ffc]/;

/**
 * `İ` in lower case is an `i` with a dot above; `ı` in upper case is an `I`: all four are one letter. A mark
 * that takes room may begin a character of its own, and a dot behind it is that one's.
 */
const dotAboveI = /(i\p{Mn}*?)\u0307/gu;

/** To put a pile of accents in order takes the square of its height: past this one, they are no text. */
const accentsMax = 64;
const pileOfAccents = new RegExp(`(\\p{M}{${accentsMax}})\\p{M}+`, 'gu');
/** Below so many UTF-16 units a pile costs nothing that counts, and looking for one would cost more. */
const lowPileUnits = 1024;

/**
 * A text as it is compared: the same for its upper, lower and title case, for NFC and NFD, and for compatible
 * characters (`Ａ`/`A`, `ﬁ`/`fi`, `ß`/`ss`, `ς`/`σ`, `İ`/`I`/`ı`/`i`). Accents count. A part of a text, cut
 * between two characters, folds to a part of what the text folds to. Linear in its length. The Unicode
 * Standard's compatibility caseless match (3.13, D146), with the Turkic letters joined.
 */
export function foldText(text: string): string {
  if (plainText.test(text)) return text.toLowerCase();
  const low = text.length > lowPileUnits ? text.replaceAll(pileOfAccents, '$1') : text;
  const signs = low.toWellFormed().replaceAll(/[\0\uffff]/g, '\ufffd');
  const letters = decompose(withoutIotaBelow(signs));
  // By way of upper case, in which `ß` is `SS`; of all letters only `ẞ` is upper case already and yet `SS`.
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

/**
 * What is stored beside texts that are searched together: null where all are ASCII (absent ones too), else
 * each of them folded, with a sign between them that no search can hold.
 */
export function foldedTexts(texts: ReadonlyArray<string | null>): string | null {
  if (texts.every((text) => text === null || plainText.test(text))) return null;
  return texts.map((text) => (text === null ? '' : foldText(text))).join(border);
}
