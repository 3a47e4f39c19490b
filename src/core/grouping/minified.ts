// Names that only a minifier gave: none of them reaches a key. Part of `ng2` (docs/grouping.md, "Builds").
import type { ExceptionValue, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { isRecord } from '../reading/lenient.ts';
import { type Frame, isJavaScript } from './stacks/frame.ts';

const contextCharsMax = 120;

/** Whether a frame of a script stands in minified code and was not mapped. */
export function looksMinified(
  { frame, function: name, index }: Frame,
  raw: Stacktrace | undefined,
  platform: string,
): boolean {
  if (!isJavaScript(frame.platform ?? platform) || wasMapped(frame, raw?.frames[index])) return false;
  const path = frame.filename ?? frame.abs_path ?? '';
  if (/[.-]min\.m?js(?:[?#]|$)/i.test(path)) return true;
  if ((frame.lineno ?? 9) <= 2 && (frame.colno ?? 0) > 300) return true;
  if (frame.lineno === 1 && (frame.context_line?.length ?? 0) > contextCharsMax) return true;
  if (name.length > 0 && name.length <= 2 && (isWebUrl(path) || isWebUrl(frame.abs_path ?? ''))) return true;
  return (name.length <= 2 && (frame.colno ?? 0) > 120) || /^\d+$/.test(frame.function ?? '');
}

/** A script from the web; `file:` and `app:` may hold code as it was written. */
function isWebUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

function wasMapped(frame: StackFrame, raw: StackFrame | undefined): boolean {
  return (
    raw !== undefined &&
    (raw.filename !== frame.filename || raw.lineno !== frame.lineno || raw.colno !== frame.colno)
  );
}

/** Whether a frame of a script was led back to its source by a map of ours. */
export function isMappedScript(frame: Frame, raw: Stacktrace | undefined, platform: string): boolean {
  return isJavaScript(frame.frame.platform ?? platform) && wasMapped(frame.frame, raw?.frames[frame.index]);
}

/**
 * Where some frames were mapped, those that were not are a bundler's or a vendor's, under names of one build.
 */
export function withoutUnmapped<Each extends Frame>(
  frames: readonly Each[],
  raw: Stacktrace | undefined,
  platform: string,
): readonly Each[] {
  if (raw === undefined || !isJavaScript(platform)) return frames;
  const isMapped = ({ frame, index }: Frame) => wasMapped(frame, raw.frames[index]);
  if (!frames.some(isMapped)) return frames;
  return frames.filter(
    (frame) => isMapped(frame) || (frame.function.length > 3 && !looksMinified(frame, raw, platform)),
  );
}

/**
 * Whether a mapped frame has kept the name that a minifier gave it: maps name a function where it is called,
 * and nobody calls the outermost one.
 */
export function isMinifiersName(frame: StackFrame, raw: StackFrame | undefined, name: string): boolean {
  if (/^\d+$/.test(name)) return true;
  if (isRecord(frame['data']) && frame['data']['named'] === 'source') return false;
  if (raw === undefined || name.length === 0 || name.length > 3 || !wasMapped(frame, raw)) return false;
  if ((frame.function ?? '') !== (raw.function ?? '')) return false;
  return name.length <= 2 || ((raw.lineno ?? 9) <= 3 && (raw.colno ?? 0) > 100);
}

/**
 * A frame whose names a shrinker or an obfuscator drew: on the JVM and in .NET its class has one or two
 * letters; elsewhere neither place nor function holds a word, and they mix cases or digits as no person does.
 */
export function isMadeByMinifier(
  frame: Pick<StackFrame, 'module' | 'filename'>,
  language: string,
  name: string,
): boolean {
  if (isJavaScript(language)) return false;
  if (['java', 'kotlin', 'groovy', 'csharp'].includes(language)) {
    const last = (frame.module ?? '').split('.').at(-1) ?? '';
    return /^[a-z]{1,2}\d?(?:\$[a-z\d]{1,2})*$/.test(last);
  }
  const module = frame.module === 'main' ? undefined : frame.module;
  const place = (module ?? frame.filename ?? '').replace(/\.[a-z]{1,4}$/i, '');
  return /\d|[a-z][A-Z]/.test(name) && place !== '' && !holdsWord(place) && !holdsWord(name);
}

/** Whether a name is drawn so that nobody can read it: of signs that nobody sees, or that all look alike. */
export function isUnreadable(name: string): boolean {
  return /^[lI1i|]{4,}$|^[oO0]{4,}$/.test(name) || (name !== '' && !/[\p{L}\p{N}<>()[\]{}?*+-]/u.test(name));
}

/** Three letters or more that can be spoken, of whatever script; four beside a digit. */
function holdsWord(text: string): boolean {
  const tokens = text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').match(/[\p{L}\d]{3,}/gu) ?? [];
  return tokens.some((token) =>
    (token.match(/\p{L}{3,}/gu) ?? []).some(
      (run) => /[^A-Za-z]/.test(run) || (/[aeiouy]/i.test(run) && (run.length > 3 || !/\d/.test(token))),
    ),
  );
}

/**
 * The type of a script's error as its source names it where only a minifier named it, empty where the source
 * does not say; null where the type is no minifier's.
 */
export function sourceType(exception: ExceptionValue, platform: string): string | null {
  if (!isJavaScript(platform)) return null;
  const { type = '', stacktrace, raw_stacktrace: raw } = exception;
  return isMinifiersType(type, raw !== undefined) ? typeInSource(stacktrace) : null;
}

/** A type of a script that a minifier has named; beside a mapped stack three letters are no word either. */
function isMinifiersType(type: string, wasMapped: boolean): boolean {
  return wasMapped ? /^[\w$]{1,3}$/.test(type) : /^[A-Za-z_$][\w$]?$/.test(type);
}

/** The type as the source names it where the error was made: `throw new PaymentRefused(…)`. */
function typeInSource(stack: Stacktrace | undefined): string {
  const line = stack?.frames.at(-1)?.context_line?.slice(0, 1_024) ?? '';
  const made = [...line.matchAll(/\bnew (?:[\w$]{1,64}\.){0,4}([A-Z][\w$]{3,127})\(/g)];
  return made.length === 1 ? (made[0]?.[1] ?? '') : '';
}

const wordless =
  /^(?:anonymous|value|apply|call|bind|next|then|catch|finally|invoke|render|update|handler|callback|forEach|filter|reduce|resolve|reject|promise|module|exports|default|constructor|dispatch\w*|trigger|listener|onload|onclick|sentryWrapped|wrapped|callCallback|process\w*|fetch|request|invariant|assert)$/i;

/**
 * Names in minified code that its minifier has left: methods, classes, and the files of plugins and pages.
 */
export function survivingNames(top: readonly Frame[], platform: string): readonly string[] {
  const names: string[] = [];
  for (const { frame, file, function: name } of top) {
    const owner = /(?:^|\s|new )([A-Z][A-Za-z]{4,60})\.[\w$<>]+(?: |$|\()/.exec(frame.function ?? '')?.[1];
    if (
      owner !== undefined &&
      !/^(?:Object|Array|Function|Promise|Module|Runtime|HTML\w+|XMLHttpRequest|Window)$/.test(owner)
    ) {
      names.push(owner);
    }
    // Members keep their names; those of a scope do not.
    const isMember = /[\w$]\.[\w$]+(?:$| \[| \()/.test(frame.function ?? '');
    if (isMember && /^[a-z]\w*[A-Z]\w*$/.test(name) && name.length >= 6 && !wordless.test(name)) {
      names.push(name);
    }
    const site = /^(?:plugins|mu-plugins|themes)\/[^/]+/.exec(file)?.[0];
    // The assembly or binary: its name is written by people.
    if (frame.package !== undefined) {
      names.push((frame.package.split(/[/\\]/).at(-1) ?? '').split(',')[0] ?? '');
    }
    // A shrunk class is the last part of its module: the package keeps its name.
    const place = isJavaScript(frame.platform ?? platform) ? file : file.replace(/\.[a-z]{1,2}\d?$/, '');
    const page = place
      .replace(/(?:\.(?:min|bundle|chunk|prod|module|esm))*\.[cm]?js$/, '')
      .replace(/[.-][0-9a-f]{4,}$/, '');
    if (site !== undefined) names.push(site);
    else if (/[a-z]{3}/.test(page) && holdsWord(page) && !plainBundle.test(page)) names.push(page);
  }
  return [...new Set(names)].slice(0, 3);
}

/** Files that every bundle has. */
const plainBundle =
  /^(?:\(page\)|\(script\)|<hash>.*|(?:vendors?~.*)|(?:.*\/)?(?:main|index|app|bundle|vendors?(?:~.*)?|runtime|chunk|common|commons|framework|scripts?|all|polyfills?|client|entry|build|dist|bootstrap|webpack|site|theme|frontend|module|lib|core|shared|assets|js|static|default|start|server|_app|app-client|chunk-vendors|application|app\.bundle))$/i;
