// Names of files without what a build, a host or a page adds to them. Part of `ng2` (docs/grouping.md,
// "Frames"). Patterns are linear; names are at most 256 characters long.
import { cleanFile as cleanFileBefore } from '../ng1/names.ts';

/** Files that hold code. Any other address of the web is a page with a script inside. */
const scriptSuffix =
  /\.(?:[cm]?[jt]sx?|es\d?|vue|svelte|astro|coffee|dart|elm|css|wasm|json|map|bundle|jsbundle|hbc)$/i;

/** The cell of a notebook: its file is named by the process that runs it, and by a hash of what it says. */
const cell =
  /(?:^|[/\\])ipykernel_\d{1,12}[/\\]\d{1,20}\.py$|^<ipython-input-[\w-]{1,80}>$|[/\\]ipython-input-[\w-]{1,80}\.py$|^<command-\d{1,24}>$|[/\\]__marimo__cell_\w{1,80}\.py$/;

/**
 * The base name in lower case, without query, build hash and version: `(page)` for a script inside a page,
 * `(cell)` for the cell of a notebook.
 */
export function cleanFile(path: string): string {
  if (cell.test(path)) return '(cell)';
  if (/^https?:\/\//i.test(path)) {
    const bare = path.replace(/[?#].*$/s, '');
    const base = bare.slice(bare.lastIndexOf('/') + 1);
    if (!bare.slice(8).includes('/') || !scriptSuffix.test(base)) return '(page)';
  }
  return cleanFileBefore(withoutContentHash(path));
}

/** `[id]` of `%5Bid%5D`: browsers and servers spell one path of the web in two ways. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Signs that bundlers write hashes with: 6 to 32 of base64url, which may hold dashes and end in one. */
const hashChars = /^[\w-]{6,32}$/;

/** The path without a hash that a bundler has put behind the name of a script, or in its place. */
function withoutContentHash(path: string): string {
  const found =
    /([^/\\?#]{1,256}?)((?:\.(?:chunk|bundle|min|module|esm|umd|prod|legacy|worker))*\.(?:[cm]?[jt]sx?|css|wasm|vue|svelte|map))((?:[?#].*)?)$/is.exec(
      path,
    );
  if (found === null) return path;
  const [whole = '', stem = '', suffix = '', query = ''] = found;
  const folder = path.slice(0, path.length - whole.length);
  if (/^[\w-]{8}$/.test(stem) && isContentHashAlone(stem)) return `${folder}<hash>${suffix}${query}`;
  const name = nameInFront(stem);
  return name === null ? path : `${folder}${name}${suffix}${query}`;
}

/** `cart` of `cart-DbQ2xY9p` and of `cart--x8_ApQ-`; null where no hash stands behind a name. */
function nameInFront(stem: string): string | null {
  // Eight signs first: that many Vite, Rollup and esbuild write, and a dash among them is the hash's.
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

/** What other bundlers write, and Rollup where it is told to. */
const hashLengths = [32, 22, 20, 16, 12, 10, 9, 7, 6];

/** Pairs of letters that words of English and of programs are made of: nine of ten pairs in them. */
const commonPairs = new Set(
  'abcdfgiklmnprstuvwy baeilorsu caehiklorstuy dadeilosuy eabcdefghilmnpqrstvwxy faefilortu gaehilnoprsu haeiotry iabcdefgklmnoprstvxz jaeosu keilnosy ladefikloptuvy mabeimopsuy nacdefgiknopstuvxy oabcdfgiklmnoprstuvwxy pacehiloprstuy qu rabcdegiklmnoprstuvy sacehiklmnopqstuwy tacehilmoprstuwy uabcdegilmnprstx vaeios waehiors xacept yelmnpst ze'
    .split(' ')
    .flatMap(([first = '', ...seconds]) => seconds.map((second) => first + second)),
);

/** How many letters of a name must belong to words, in tenths. */
const wordShare = 6;

/**
 * Whether these signs are a content hash: letters of both cases, digits and dashes, of which fewer than six
 * in ten belong to words that can be spoken.
 */
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

/** The same where a word is the rule, at the beginning of a name and behind `_`: letters of both cases. */
function isContentHashAlone(text: string): boolean {
  const humps = text.split(/(?=[A-Z])|[-_]|(?<=\d)(?=\D)/).length;
  const isBroken = /[\d_-]/.test(text) || humps > 2 || lettersInWords(text) === 0;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && isBroken && isContentHash(text);
}

/** Letters of the runs that can be spoken: `User` and `Card` of `UserCard`, none of `DbQaxYzp`. */
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

/** Which share of the pairs of letters that stand side by side words have, 0 to 1. */
function shareOfCommonPairs(run: string): number {
  let spoken = 0;
  for (let at = 0; at + 1 < run.length; at += 1) if (commonPairs.has(run.slice(at, at + 2))) spoken += 1;
  return spoken / (run.length - 1);
}
