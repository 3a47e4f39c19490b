// Removes build hashes and versions from file names. Patterns are linear; names have at most 256 characters.

/** Other http(s) URLs are pages with inline scripts. */
const scriptSuffix =
  /\.(?:[cm]?[jt]sx?|es\d?|vue|svelte|astro|coffee|dart|elm|css|wasm|json|map|bundle|jsbundle|hbc)$/i;

/** Notebook cells: the file name has the process id and a hash of the content. */
const cell =
  /(?:^|[/\\])ipykernel_\d{1,12}[/\\]\d{1,20}\.py$|^<ipython-input-[\w-]{1,80}>$|[/\\]ipython-input-[\w-]{1,80}\.py$|^<command-\d{1,24}>$|[/\\]__marimo__cell_\w{1,80}\.py$/;

/** Code from a text: Ruby names the location of the call since 3.3, Perl counts the calls. */
const evaluated = /^\(eval(?: \d{1,9}| at .{1,250}:\d{1,9})\)$/;

/** The base name in lower case, without query, build hash and version: `(page)` for a script inside a page, `(cell)`
 * for the cell of a notebook, `(eval)` for code from a text. */
export function normalizeFileName(path: string): string {
  if (cell.test(path)) return '(cell)';
  if (evaluated.test(path)) return '(eval)';
  if (/^https?:\/\//i.test(path)) {
    const cleanPath = path.replace(/[?#].*$/s, '');
    const base = cleanPath.slice(cleanPath.lastIndexOf('/') + 1);
    if (!cleanPath.slice(8).includes('/') || !scriptSuffix.test(base)) return '(page)';
  }
  return baseName(withoutContentHash(path));
}

/** Browsers and servers encode the same path differently: `[id]` and `%5Bid%5D`. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const hashChars = /^[\w-]{6,32}$/;

function withoutContentHash(path: string): string {
  const found =
    /([^/\\?#]{1,256}?)((?:\.(?:chunk|bundle|min|module|esm|umd|prod|legacy|worker))*\.(?:[cm]?[jt]sx?|css|wasm|vue|svelte|map))((?:[?#].*)?)$/is.exec(
      path,
    );
  if (found === null) return path;
  const [match = '', stem = '', suffix = '', query = ''] = found;
  const folder = path.slice(0, path.length - match.length);
  if (/^[\w-]{8}$/.test(stem) && isContentHashAlone(stem)) return `${folder}<hash>${suffix}${query}`;
  const name = nameBeforeHash(stem);
  return name === null ? path : `${folder}${name}${suffix}${query}`;
}

/** `cart` for `cart-DbQ2xY9p`; null where there is no hash. */
function nameBeforeHash(stem: string): string | null {
  // Vite, Rollup and esbuild use 8 characters, which may include a dash.
  const ends = [8, ...hashLengths];
  for (const length of ends) {
    const at = stem.length - length - 1;
    const tail = stem.slice(at + 1);
    const sign = stem.charAt(at);
    if (at < 1 || !hashChars.test(tail)) continue;
    if (sign === '_' ? isContentHashAlone(tail) : /[-.]/.test(sign) && isContentHash(tail)) {
      return stem.slice(0, at).replace(/[-._]+$/, '') || null;
    }
  }
  return null;
}

/** Lengths in other bundlers, and in Rollup when configured. */
const hashLengths = [32, 22, 20, 16, 12, 10, 9, 7, 6];

/** Letter pairs of words: about nine in ten pairs of a word are listed. */
const commonPairs = new Set(
  'abcdfgiklmnprstuvwy baeilorsu caehiklorstuy dadeilosuy eabcdefghilmnpqrstvwxy faefilortu gaehilnoprsu haeiotry iabcdefgklmnoprstvxz jaeosu keilnosy ladefikloptuvy mabeimopsuy nacdefgiknopstuvxy oabcdfgiklmnoprstuvwxy pacehiloprstuy qu rabcdegiklmnoprstuvy sacehiklmnopqstuwy tacehilmoprstuwy uabcdegilmnprstx vaeios waehiors xacept yelmnpst ze'
    .split(' ')
    .flatMap(([first = '', ...seconds]) => seconds.map((second) => first + second)),
);

const wordShare = 6;

/** Mixed case, digits or dashes, with less than six in ten letters in pronounceable words. */
function isContentHash(text: string): boolean {
  const hasMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (text.length < 8) return hasMixed && /\d/.test(text) && lettersInWords(text) === 0;
  if (/^[0-9a-f]+$/.test(text)) return /\d/.test(text);
  if (/^[A-Z2-7]+$/.test(text)) return text.length === 8;
  if (!hasMixed && text.length !== 8) return false;
  if (!hasMixed && !/\d/.test(text)) {
    return /^[a-z]{8}$/.test(text) && shareOfCommonPairs(text) < 0.5;
  }
  const signs = text.replace(/\d{1,4}$/, '').replace(/[-_]/g, '');
  return lettersInWords(text) * 10 < signs.length * wordShare;
}

/** Stricter, where a word is likely: at the start of a name and after `_`. */
function isContentHashAlone(text: string): boolean {
  const humps = text.split(/(?=[A-Z])|[-_]|(?<=\d)(?=\D)/).length;
  const isBroken = /[\d_-]/.test(text) || humps > 2 || lettersInWords(text) === 0;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && isBroken && isContentHash(text);
}

/** Letters in pronounceable runs: all of `UserCard`, none of `DbQaxYzp`. */
function lettersInWords(text: string): number {
  let letters = 0;
  for (const run of text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []) {
    if (isPronounceable(run.toLowerCase())) letters += run.length;
  }
  return letters;
}

function isPronounceable(run: string): boolean {
  return run.length >= 3 && /[aeiouy]/.test(run) && shareOfCommonPairs(run) >= 0.66;
}

function shareOfCommonPairs(run: string): number {
  let spoken = 0;
  for (let at = 0; at + 1 < run.length; at += 1) if (commonPairs.has(run.slice(at, at + 2))) spoken += 1;
  return spoken / (run.length - 1);
}

function baseName(path: string): string {
  if (path === '') return '';
  if (/^(?:blob|data):/i.test(path)) return '(script)';
  const cleanPath = path
    .replace(/[?#].*$/s, '')
    .replace(/\(\d{1,9}\) : (?:eval\(\)'d code|runtime-created function).*$/s, '');
  const url = /^https?:\/\/[^/]*(.*)$/is.exec(cleanPath);
  const base = (url?.[1] ?? cleanPath).split(/[/\\]/).at(-1) ?? '';
  if (url !== null && !/\.[a-z]\w{0,7}$/i.test(base)) return '(page)';
  if (/^(?:index\.(?:android|ios)\.bundle|main\.jsbundle|index\.bundle)$/i.test(base)) return 'app.bundle';
  return withoutHashes(base).toLowerCase();
}

function withoutHashes(base: string): string {
  const extension =
    /(?:\.(?:chunk|bundle|min|module|esm|cjs|umd|prod|legacy))*\.\w{1,8}$/i.exec(base)?.[0] ?? '';
  const stem = base.slice(0, base.length - extension.length);
  const isScript = /\.(?:[cm]?[jt]sx?|css|vue|svelte|map|bundle)$/i.test(extension);
  const tail = /^(.+)[-.]([\w-]{8})$/.exec(stem);
  if (isScript && tail !== null && looksLikeUrlSafeHash(tail[2] ?? '')) {
    return withoutHashes(`${tail[1]}${extension}`);
  }
  const pieces = stem.split(/([.\-_~]+)/);
  const keptPieces: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const piece = pieces[at] ?? '';
    const variable = looksLikeHash(piece, isScript, at === 0) || (isScript && isVersionPiece(pieces, at));
    if (variable && at === 0) keptPieces.push('<hash>');
    else if (!variable) keptPieces.push(at === 0 ? piece : (pieces[at - 1] ?? '') + piece);
  }
  return `${keptPieces.join('').replace(/^<hash>[.\-_~](?=\w)/, '')}${extension}`;
}

/** Eight base64url characters after a dash, as in Vite and Rollup. */
function looksLikeUrlSafeHash(piece: string): boolean {
  const mixed = /[a-z]/.test(piece) && /[A-Z]/.test(piece);
  if (/^[A-Z2-7]{8}$/.test(piece)) return true;
  if (!mixed) return /^[a-z]{8}$/.test(piece) && isUnspeakable(piece);
  if (/[_-]/.test(piece) && !/\d/.test(piece) && /(?:^|[-_])[A-Z]?[a-z]{3,}(?:[-_]|$)/.test(piece)) {
    return false;
  }
  if (/[\d_-]/.test(piece)) {
    return (
      !/^[A-Z]?[a-z]{2,}[-_]/.test(piece) &&
      !/^[a-z]+(?:[A-Z][a-z]+)*\d{1,2}$/i.test(piece.replace(/[A-Z]{2,}/, '0A0'))
    );
  }
  const humps = piece.split(/(?=[A-Z])/);
  return (
    /[a-z][A-Z]{2,}|[A-Z]$/.test(piece) ||
    humps.filter((hump) => hump.length <= 2).length >= 3 ||
    isUnspeakable(piece)
  );
}

/** Five consonants in a row, or two letter pairs that no word has. */
function isUnspeakable(letters: string): boolean {
  const text = letters.toLowerCase();
  if (/[bcdfghjklmnpqrstvwxz]{5,}/.test(text)) return true;
  return (text.match(unspeakable)?.length ?? 0) >= 2;
}

const unspeakable =
  /q(?!u)|j(?![aeiouyqs])|v(?![aeiouyr])|z(?=[bcdfgjkmnpqrsvwx])|x(?=[bdfgjkmnrsvwxz])|[bcdfghjklmnprstvwz]x|[hkwy](?=[jqvxz])/g;

/** Eight or more hex digits are not a word. `first`: at the start of a name, where words are likely. */
function looksLikeHash(piece: string, isScript: boolean, first: boolean): boolean {
  if (!/^[0-9a-z]{6,}$/i.test(piece)) return false;
  if (/^[0-9a-f]{8,}$/i.test(piece)) return isScript || /[a-f]/i.test(piece);
  if (!isScript || !/\d/.test(piece) || !/[a-z]/i.test(piece)) return false;
  if (/^[A-Z]?[a-z]{3,}(?:[A-Z][a-z]+)*\d{1,2}$/.test(piece)) return false;
  return /^[0-9A-Z]+$/.test(piece) || !isNumberedName(piece, first);
}

/** Words with one number: "http2wrapper", "sha512", "applyDecs2301". */
function isNumberedName(piece: string, first: boolean): boolean {
  const runs = piece.split(/\d+/);
  if (runs.length > (first ? 3 : 2) || /\d{5}/.test(piece)) return false;
  if (runs.some((run) => /[A-Z][a-z]?[A-Z]|[a-z][A-Z]$/.test(run) || isUnspeakable(run))) return false;
  return runs.some((run) => run.length >= (first ? 2 : 5));
}

/** `3.7.1` in jquery-3.7.1.js, and chunk numbers as in 158.chunk.js. */
function isVersionPiece(pieces: readonly string[], at: number): boolean {
  const isNumber = (piece: string | undefined) => /^v?\d{1,7}$/i.test(piece ?? '');
  if (!isNumber(pieces[at])) return false;
  if (pieces.length === 1) return true;
  const before = pieces[at - 1] === '.' && isNumber(pieces[at - 2]);
  const after = pieces[at + 1] === '.' && isNumber(pieces[at + 2]);
  return before || after || (at === 0 && looksLikeHash(pieces[2] ?? '', true, false));
}
