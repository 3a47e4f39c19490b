export interface WordPressComponent {
  readonly kind: 'plugin' | 'theme' | 'mu-plugin';
  /** Folder below `plugins` or `themes`, or the name of a single-file plugin; at most 100 characters. */
  readonly slug: string;
  /** From the URL or folder, such as `9.1.2`; else null. */
  readonly version: string | null;
  readonly file: string;
}

const kinds = new Map<string, WordPressComponent['kind']>([
  ['plugins', 'plugin'],
  ['themes', 'theme'],
  ['mu-plugins', 'mu-plugin'],
  // WordPress VIP.
  ['client-mu-plugins', 'mu-plugin'],
]);
/** Theme folders on WordPress.com: `themes/pub/SLUG`. */
const themeSubfolders = new Set(['pub', 'premium', 'vip', 'a8c']);
const slugCharsMax = 100;
const versionCharsMax = 40;
/** Third-party libraries; their version is not the plugin's. */
const libraryFolder = /^(?:libs?|librar(?:y|ies)|vendors?|third-?party|node_modules|packages|jquery.*)$/i;
/** Starts with a digit; hashes and timestamps are not versions. */
const versionForm = /^\d{1,4}(?:\.\d{1,14}){0,5}(?:[-+.~]?(?:alpha|beta|rc|dev|pre|pl?|a|b)[-.]?\d{0,8})?$/i;
const versionedFolder =
  /^(.{1,80}?)[-.]v?(\d{1,4}(?:\.\d{1,8}){1,4}(?:-?(?:alpha|beta|rc|dev)[.\d]{0,8})?)$/i;

/** Null for core, uploads and non-WordPress paths. `contentParent` is the parent of a renamed wp-content. */
export function findComponentOfPath(path: string, contentParent?: string): WordPressComponent | null {
  // Most paths end here; this runs for each frame.
  if (path.indexOf('plugins') === -1 && path.indexOf('themes') === -1) return fromCdn(path);
  const { segments, query, isAddress } = read(path);
  for (let at = 1; at < segments.length - 1; at += 1) {
    const kind = kinds.get(segments[at] ?? '');
    if (kind === undefined || !isContentFolder(segments, at, isAddress, query, contentParent)) continue;
    if (segments[segments.indexOf('uploads') - 1] === 'wp-content') return null;
    return codeOf(kind, segments.slice(at + 1), query, isPooled(segments, at));
  }
  return null;
}

/** Null for hashes, timestamps and words. */
export function parseComponentVersion(text: string): string | null {
  const version = text.trim().replace(/^v(?=\d)/i, '');
  return version.length <= versionCharsMax && versionForm.test(version) ? version : null;
}

function read(path: string) {
  const isAddress = /^(?:[a-z][a-z0-9+.-]{1,30}:)?\/\//i.test(path);
  const end = path.search(/[?#]/);
  const query = end === -1 ? '' : path.slice(end);
  const segments: string[] = [];
  for (const segment of decoded(end === -1 ? path : path.slice(0, end)).split(/[\\/]/)) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return { segments, query, isAddress };
}

function decoded(path: string): string {
  if (path.indexOf('%') === -1) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** True if the folder before `segments[at]` is wp-content. */
function isContentFolder(
  segments: readonly string[],
  at: number,
  isAddress: boolean,
  query: string,
  contentParent: string | undefined,
): boolean {
  const parent = segments[at - 1];
  if (parent === 'wp-content' || isPooled(segments, at)) return true;
  const last = segments.at(-1) ?? '';
  // Only WordPress uses this name.
  if (segments[at] === 'mu-plugins') return last.endsWith('.php');
  // Bedrock. `app/plugins` is common elsewhere, so a URL also needs WordPress's `ver` parameter.
  if (parent === 'app' && segments[at - 2] === 'web') return true;
  if (parent === 'app' && isAddress && at === 3) return /[?&]ver=/.test(query);
  return contentParent !== undefined && read(contentParent).segments.join('/') === parentOf(segments, at);
}

function parentOf(segments: readonly string[], at: number): string {
  return segments.slice(0, at - 1).join('/');
}

/** WordPress.com shares one copy of a version: `/wordpress/plugins/SLUG/VERSION/`. */
function isPooled(segments: readonly string[], at: number): boolean {
  return at === 1 && segments[0] === 'wordpress';
}

function codeOf(kind: WordPressComponent['kind'], below: readonly string[], query: string, isPool: boolean) {
  const rest =
    kind === 'theme' && below.length > 2 && themeSubfolders.has(below[0] ?? '') ? below.slice(1) : below;
  const [folder = '', ...pathSegments] = rest;
  if (rest.length === 1 && folder.includes('.') && !isVersioned(folder)) return singleFile(kind, folder);
  if (
    isPool &&
    pathSegments.length > 1 &&
    (pathSegments[0] === 'latest' || parseComponentVersion(pathSegments[0] ?? '') !== null)
  ) {
    const version = pathSegments[0] === 'latest' ? null : parseComponentVersion(pathSegments[0] ?? '');
    return named(kind, folder, version, pathSegments.slice(1));
  }
  const [, slug, version] = folder.length <= slugCharsMax ? (versionedFolder.exec(folder) ?? []) : [];
  if (slug !== undefined && version !== undefined) return named(kind, slug, version, pathSegments);
  return named(kind, folder, versionOfQuery(query, pathSegments), pathSegments);
}

function isVersioned(folder: string): boolean {
  return folder.length <= slugCharsMax && versionedFolder.test(folder);
}

/** `plugins/hello.php`. `index.php` is an empty file, and a theme is never a single file. */
function singleFile(kind: WordPressComponent['kind'], file: string): WordPressComponent | null {
  const name = withoutEval(file);
  if (kind === 'theme' || !name.endsWith('.php') || name === 'index.php') return null;
  return named(kind, name.slice(0, -'.php'.length), null, [name]);
}

function named(
  kind: WordPressComponent['kind'],
  folder: string,
  version: string | null,
  pathSegments: readonly string[],
): WordPressComponent | null {
  const slug = folder.trim();
  if (slug.length > slugCharsMax || !/^[^\s.](?:[^\p{Cc}"'<>|:*@]*)$/u.test(slug)) return null;
  return { kind, slug, version, file: withoutEval(pathSegments.join('/')) };
}

/** `a.php(12) : eval()'d code` is in a.php. */
function withoutEval(file: string): string {
  const end = file.indexOf('.php(');
  return end === -1 ? file : file.slice(0, end + '.php'.length);
}

/** WordPress adds the registered version of a script to its URL. */
function versionOfQuery(query: string, pathSegments: readonly string[]): string | null {
  const version = /[?&]ver=([^&#]{1,60})/.exec(query)?.[1];
  if (version === undefined || pathSegments.slice(0, -1).some((folder) => libraryFolder.test(folder)))
    return null;
  return parseComponentVersion(decoded(version));
}

function fromCdn(path: string): WordPressComponent | null {
  if (path.indexOf('//c0.wp.com/p/') === -1) return null;
  const [, host, folder, slug = '', version = '', ...pathSegments] = read(path).segments;
  if (host !== 'c0.wp.com' || folder !== 'p' || pathSegments.length === 0) return null;
  return named('plugin', slug, parseComponentVersion(version), pathSegments);
}
