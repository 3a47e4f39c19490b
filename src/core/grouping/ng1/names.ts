// Names of files, modules and functions without what a build, a machine or an engine adds to them. Part of
// `ng1` (docs/grouping.md, "Frames"). Patterns are linear; names are at most 256 characters long.
import type { StackFrame } from '../../../../schemas/event.ts';

/** A script from the web; `file:` and `app:` may hold code as it was written. */
export function isWebUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Places that are no file: code of the engine itself, eval, and scripts that a browser does not name. */
export function isNativePath(path: string): boolean {
  return /^(?:<anonymous>|<unknown>|anonymous|self-hosted|\[?native(?: code)?\]?|native code|eval at .*|eval code|evalmachine\.<anonymous>)$/i.test(
    path,
  );
}

const scriptLibraries =
  /(?:^|[/\\])(?:node_modules|bower_components|jspm_packages)[/\\]|^node:|^internal\/|^webpack\/(?:bootstrap|runtime)|^(?:webpack|rollup|vite):\/\/[^/]*\/(?:webpack\/|\.\/node_modules\/)|^(?:chrome|moz|safari|safari-web|ms-browser|edge)-extension:\/\/|^(?:resource|chrome|about|webkit-masked-url):\/\/|[/\\](?:@vite|@react-refresh)[/\\]?|(?:^|[/\\])(?:jquery|zone|polyfills?|react-dom|vendors?|chunk-vendors)(?:[.~_-][^/\\]*)?\.(?:m?js|ts)(?:[?#]|$)/i;
const otherLibraries =
  /(?:^|[/\\])(?:vendor|node_modules|site-packages|dist-packages|wp-includes|wp-admin|gems|bundled_gems)[/\\]|(?:^|[/\\])(?:lib|lib64)[/\\](?:python|ruby|perl)\d?|^<frozen |[/\\]go[/\\]pkg[/\\]mod[/\\]|[/\\]go[/\\]src[/\\]runtime[/\\]|[/\\]\.cargo[/\\]registry[/\\]|^[/\\]rustc[/\\]|^phar:\/\/|^dart:|^package:(?:flutter|sentry|sentry_flutter)\/|[/\\]\.pub-cache[/\\]/i;
const libraryModules =
  /^(?:java|javax|jdk|sun|com\.sun|jakarta|kotlin|kotlinx|scala|groovy|org\.(?:springframework|apache|hibernate|eclipse|jboss|codehaus)|io\.(?:netty|undertow)|android|androidx|dalvik|System|Microsoft|runtime|reflect|net\/http|testing)(?:[./]|$)/;

/** Code that is not the application's own, by where it lies. */
export function isLibraryPath(frame: StackFrame, platform: string): boolean {
  const paths = [frame.abs_path ?? '', frame.filename ?? ''];
  const language = frame.platform ?? platform;
  if (paths.some((path) => otherLibraries.test(path))) return true;
  if (language === 'javascript' || language === 'node') {
    return paths.some((path) => scriptLibraries.test(path));
  }
  return (
    ['java', 'csharp', 'go', 'groovy', 'kotlin'].includes(language) && libraryModules.test(frame.module ?? '')
  );
}

/** A base name in lower case, without query, build hash and version; `(page)` for a script inside a page. */
export function cleanFile(path: string): string {
  if (path === '') return '';
  if (/^(?:blob|data):/i.test(path)) return '(script)';
  const bare = path
    .replace(/[?#].*$/s, '')
    .replace(/\(\d{1,9}\) : (?:eval\(\)'d code|runtime-created function).*$/s, '');
  const url = /^https?:\/\/[^/]*(.*)$/is.exec(bare);
  const base = (url?.[1] ?? bare).split(/[/\\]/).at(-1) ?? '';
  if (url !== null && !/\.[a-z]\w{0,7}$/i.test(base)) return '(page)';
  if (/^(?:index\.(?:android|ios)\.bundle|main\.jsbundle|index\.bundle)$/i.test(base)) return 'app.bundle';
  return withoutHashes(base).toLowerCase();
}

/**
 * Segments between `.`, `-`, `_` and `~` that a build made from the content, or that are a version, are left
 * out.
 */
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
  const kept: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const piece = pieces[at] ?? '';
    const variable = looksLikeHash(piece, isScript, at === 0) || (isScript && isVersionPiece(pieces, at));
    if (variable && at === 0) kept.push('<hash>');
    else if (!variable) kept.push(at === 0 ? piece : (pieces[at - 1] ?? '') + piece);
  }
  return `${kept.join('').replace(/^<hash>[.\-_~](?=\w)/, '')}${extension}`;
}

/** Eight characters of base64url, as Vite and Rollup put behind a dash. */
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

/** Five consonants on end, or two pairs of letters that no word has. */
function isUnspeakable(letters: string): boolean {
  const text = letters.toLowerCase();
  if (/[bcdfghjklmnpqrstvwxz]{5,}/.test(text)) return true;
  return (text.match(unspeakable)?.length ?? 0) >= 2;
}

const unspeakable =
  /q(?!u)|j(?![aeiouyqs])|v(?![aeiouyr])|z(?=[bcdfgjkmnpqrsvwx])|x(?=[bdfgjkmnrsvwxz])|[bcdfghjklmnprstvwz]x|[hkwy](?=[jqvxz])/g;

/**
 * Whether a build made this piece from the content. Eight characters or more of 0–9 and a–f are no word:
 * hardly any is written with these letters alone. `first`: at the start of a name, where words are the rule.
 */
function looksLikeHash(piece: string, isScript: boolean, first: boolean): boolean {
  if (!/^[0-9a-z]{6,}$/i.test(piece)) return false;
  if (/^[0-9a-f]{8,}$/i.test(piece)) return isScript || /[a-f]/i.test(piece);
  if (!isScript || !/\d/.test(piece) || !/[a-z]/i.test(piece)) return false;
  if (/^[A-Z]?[a-z]{3,}(?:[A-Z][a-z]+)*\d{1,2}$/.test(piece)) return false;
  return /^[0-9A-Z]+$/.test(piece) || !isNumberedName(piece, first);
}

/** Words with one number among them: "http2wrapper", "sha512", "applyDecs2301". */
function isNumberedName(piece: string, first: boolean): boolean {
  const runs = piece.split(/\d+/);
  if (runs.length > (first ? 3 : 2) || /\d{5}/.test(piece)) return false;
  if (runs.some((run) => /[A-Z][a-z]?[A-Z]|[a-z][A-Z]$/.test(run) || isUnspeakable(run))) return false;
  return runs.some((run) => run.length >= (first ? 2 : 5));
}

/** `3.7.1` in jquery-3.7.1.js, the number of a chunk in 158.js or 158.chunk.js. */
function isVersionPiece(pieces: readonly string[], at: number): boolean {
  const isNumber = (piece: string | undefined) => /^v?\d{1,7}$/i.test(piece ?? '');
  if (!isNumber(pieces[at])) return false;
  if (pieces.length === 1) return true;
  const before = pieces[at - 1] === '.' && isNumber(pieces[at - 2]);
  const after = pieces[at + 1] === '.' && isNumber(pieces[at + 2]);
  return before || after || (at === 0 && looksLikeHash(pieces[2] ?? '', true, false));
}

/** A module or class path without what a runtime generates: proxies, lambdas, anonymous classes. */
export function cleanModule(module: string, platform: string): string {
  let name = module.split(',')[0] ?? '';
  name = withoutGenerated(name);
  return platform === 'javascript' || platform === 'node' ? name.replace(/^.*[/\\]/, '').toLowerCase() : name;
}

/** What the JVM, .NET, Ruby, Rust and template engines generate, and numbers they give to it. */
function withoutGenerated(name: string): string {
  return name
    .replace(/\$\$(?:Enhancer|FastClass)By\w*\$\$[0-9a-f]+/g, '')
    .replace(/\$\$SpringCGLIB\$\$\d+/g, '')
    .replace(/\$\$Lambda\b.*$/s, '$$$$Lambda')
    .replace(/_\$\$_(?:jvst\w*|javassist)_\d+/g, '')
    .replace(/(?<=\$(?:ByteBuddy|MockitoMock|HibernateProxy|Accessor))\$\w+/g, '')
    .replace(/^(?:com\.sun\.proxy|jdk\.proxy\d*)\./, '')
    .replace(/(?<=\$Proxy)\d+/g, '')
    .replace(
      /(?<=(?:GeneratedMethodAccessor|GeneratedConstructorAccessor|LambdaForm\$\w{1,20}|__TwigTemplate_))\w+/g,
      '',
    )
    .replace(/\$\d+(?=\$|\.|$)/g, '$$')
    .replace(/<>c__DisplayClass\d+(?:_\d+)*/g, '<>c')
    .replace(/<([\w.]*)>[a-z]__(?:(\w+)\|)?[\w|]*/g, (_whole, name: string, local: string | undefined) =>
      local === undefined ? name : `${name}.${local}`,
    )
    .replace(/\bcontent_[0-9a-f]{8,}\w*/g, 'content')
    .replace(/::h[0-9a-f]{16}$/, '')
    .replace(/0x[0-9a-f]+/gi, '')
    .replace(/(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}(?![0-9a-z])/gi, '');
}

/**
 * The method that an async or iterator method of .NET was written as: its state machine is a class with one
 * `MoveNext`.
 */
export function stateMachineMethod(frame: StackFrame): { module: string; function: string } | null {
  if (frame.function !== 'MoveNext') return null;
  const match = /^(.{1,256})[+.]<(\w{1,128})>d__\d{1,9}(?:`\d{1,3})?(?:,.*)?$/.exec(frame.module ?? '');
  return match === null ? null : { module: match[1] ?? '', function: match[2] ?? '' };
}

/** A function's name as every engine would give it; empty where it has none. */
export function cleanFunction(name: string, platform: string): string {
  if (platform === 'javascript' || platform === 'node') return cleanScriptFunction(name);
  let text = withoutGenerated(withoutPhpNames(name.trim()))
    .replace(/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, '')
    .replace(/\$(?:anonfun\$)?\$*\d*$/, '')
    .replace(/(?<=^lambda\$[\w]{1,200})\$$/, '')
    .replace(/(?:\.func\d+(?:\.\d+)*)+$/, '.func')
    .replace(/(?<=lambda_method)\d+/, '')
    .replace(/(?<=closure )#\d+/g, '')
    .replace(/(?<=_(?:erb|haml|slim))__+\d+_\d+$/, '')
    .replace(/-fun-\d+-|(?<=\/\d)-\d+-$/g, '')
    .replace(/\[\.\.\.\]/g, '')
    .trim();
  if (platform === 'csharp') text = text.replace(/(?<=\w)\.MoveNext$/, '');
  // PHP's runtimes write "->" for what others write "::"; Ruby names the class since 3.4.
  if (platform === 'php') text = text.replace('->', '::');
  if (platform === 'ruby') text = text.replace(/^[A-Z][\w:]*[#.](?=\S)/, '');
  const local = text.lastIndexOf('<locals>.');
  if (local !== -1) text = text.slice(local + '<locals>.'.length);
  return /^(?:<lambda>|<listcomp>|<dictcomp>|<setcomp>|<genexpr>|<module>|<unknown>|\?|\(anonymous\))$/.test(
    text,
  )
    ? ''
    : text;
}

/**
 * PHP puts the file and a number into the names of anonymous classes, and since 8.4 the place into those of
 * closures.
 */
function withoutPhpNames(name: string): string {
  const anonymous = name.indexOf('@anonymous');
  let text = name;
  if (anonymous !== -1) {
    const method = name.lastIndexOf('::');
    text = name.slice(0, anonymous + '@anonymous'.length) + (method > anonymous ? name.slice(method) : '');
  }
  const closure = text.indexOf('{closure');
  if (closure === -1) return text;
  const owner = text.slice(0, closure);
  const type = /^(.*?)(?:::|->)/s.exec(owner)?.[1];
  return type === undefined ? '{closure}' : `${type}::{closure}`;
}

const nameless =
  /^(?:|\?|<|<anonymous>|anonymous|anonymous function|<anonymous function>|<unknown>|\(anonymous\)|\(anonymous function\)|<top-level>|<global>|global code|module code|eval code|\[native code\]|undefined|null|onreadystatechange\*|<\/?)$/i;

/** V8, SpiderMonkey, JavaScriptCore, Chakra and Hermes name the same function in five ways. */
function cleanScriptFunction(name: string): string {
  let text = name.trim().replace(/ \[as [^\]]{0,200}\]$/, '');
  text = text.replace(/^<anonymous function: ([^>]{1,200})>$/, '$1');
  // Firefox: "async*load", "setTimeout handler*load".
  text = text.slice(text.lastIndexOf('*') + 1);
  text = text.replace(/^(?:(?:async|new|get|set|static|bound|function) +)+/, '');
  // Webpack names the function around a module after its path: "Module../src/cart.js".
  if (/\.\/[^<]*\.[mc]?[jt]sx?$|\.vue$/i.test(text)) return '';
  text = text.replace(/\(.*\)$/s, '').replace(/<+$/, '<');
  const cut = Math.max(text.lastIndexOf('.'), text.lastIndexOf('/'));
  text = text
    .slice(cut + 1)
    .replace(/^(?:get|set) +/, '')
    .replace(/^#/, '')
    .replace(/\$\d+$/, '');
  return nameless.test(text) ? '' : text;
}
