// Names that a minifier generated are never part of a key.
import type { ExceptionValue, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { isJsonObject } from '../parsing/unknown-values.ts';
import { type Frame, isJavaScript } from './stacks/frame.ts';

const contextCharsMax = 120;

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

/** `file:` and `app:` URLs may have original code. */
function isWebUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

function wasMapped(frame: StackFrame, raw: StackFrame | undefined): boolean {
  return (
    raw !== undefined &&
    (raw.filename !== frame.filename || raw.lineno !== frame.lineno || raw.colno !== frame.colno)
  );
}

export function isMappedScript(frame: Frame, raw: Stacktrace | undefined, platform: string): boolean {
  return isJavaScript(frame.frame.platform ?? platform) && wasMapped(frame.frame, raw?.frames[frame.index]);
}

/** Where some frames are symbolicated, the others are of a bundler or vendor and have names of one build. */
export function removeUnmappedFrames<Each extends Frame>(
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

/** Source maps name a function where it is called, so the outermost one keeps its minified name. */
export function isUnmappedName(frame: StackFrame, raw: StackFrame | undefined, name: string): boolean {
  if (/^\d+$/.test(name)) return true;
  if (isJsonObject(frame['data']) && frame['data']['named'] === 'source') return false;
  if (raw === undefined || name.length === 0 || name.length > 3 || !wasMapped(frame, raw)) return false;
  if ((frame.function ?? '') !== (raw.function ?? '')) return false;
  return name.length <= 2 || ((raw.lineno ?? 9) <= 3 && (raw.colno ?? 0) > 100);
}

/** On the JVM and .NET: a class of one or two letters. Elsewhere: neither file nor function has a word. */
export function isShrunkFrame(
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
  const location = (module ?? frame.filename ?? '').replace(/\.[a-z]{1,4}$/i, '');
  return /\d|[a-z][A-Z]/.test(name) && location !== '' && !containsWord(location) && !containsWord(name);
}

/** Obfuscated with invisible or similar characters. */
export function isUnreadable(name: string): boolean {
  return /^[lI1i|]{4,}$|^[oO0]{4,}$/.test(name) || (name !== '' && !/[\p{L}\p{N}<>()[\]{}?*+-]/u.test(name));
}

/** Three pronounceable letters, or four next to a digit. */
function containsWord(text: string): boolean {
  const tokens = text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').match(/[\p{L}\d]{3,}/gu) ?? [];
  return tokens.some((token) =>
    (token.match(/\p{L}{3,}/gu) ?? []).some(
      (run) => /[^A-Za-z]/.test(run) || (/[aeiouy]/i.test(run) && (run.length > 3 || !/\d/.test(token))),
    ),
  );
}

/** Named as in the source; empty where unknown; null where it is not minified. */
export function findSourceType(exception: ExceptionValue, platform: string): string | null {
  if (!isJavaScript(platform)) return null;
  const { type = '', stacktrace, raw_stacktrace: raw } = exception;
  return isMinifiersType(type, raw !== undefined) ? typeInSource(stacktrace) : null;
}

/** With a symbolicated stack, three letters are taken for minified too. */
function isMinifiersType(type: string, wasMapped: boolean): boolean {
  return wasMapped ? /^[\w$]{1,3}$/.test(type) : /^[A-Za-z_$][\w$]?$/.test(type);
}

/** From `throw new PaymentRefused(…)`. */
function typeInSource(stack: Stacktrace | undefined): string {
  const line = stack?.frames.at(-1)?.context_line?.slice(0, 1_024) ?? '';
  const matches = [...line.matchAll(/\bnew (?:[\w$]{1,64}\.){0,4}([A-Z][\w$]{3,127})\(/g)];
  return matches.length === 1 ? (matches[0]?.[1] ?? '') : '';
}

const genericNames =
  /^(?:anonymous|value|apply|call|bind|next|then|catch|finally|invoke|render|update|handler|callback|forEach|filter|reduce|resolve|reject|promise|module|exports|default|constructor|dispatch\w*|trigger|listener|onload|onclick|sentryWrapped|wrapped|callCallback|process\w*|fetch|request|invariant|assert)$/i;

export function unminifiedNames(top: readonly Frame[], platform: string): readonly string[] {
  const names: string[] = [];
  for (const { frame, file, function: name } of top) {
    const owner = /(?:^|\s|new )([A-Z][A-Za-z]{4,60})\.[\w$<>]+(?: |$|\()/.exec(frame.function ?? '')?.[1];
    if (
      owner !== undefined &&
      !/^(?:Object|Array|Function|Promise|Module|Runtime|HTML\w+|XMLHttpRequest|Window)$/.test(owner)
    ) {
      names.push(owner);
    }
    // Minifiers keep member names.
    const isMember = /[\w$]\.[\w$]+(?:$| \[| \()/.test(frame.function ?? '');
    if (isMember && /^[a-z]\w*[A-Z]\w*$/.test(name) && name.length >= 6 && !genericNames.test(name)) {
      names.push(name);
    }
    const site = /^(?:plugins|mu-plugins|themes)\/[^/]+/.exec(file)?.[0];
    if (frame.package !== undefined) {
      names.push((frame.package.split(/[/\\]/).at(-1) ?? '').split(',')[0] ?? '');
    }
    // Shrinkers keep the package of a class.
    const location = isJavaScript(frame.platform ?? platform) ? file : file.replace(/\.[a-z]{1,2}\d?$/, '');
    const page = location
      .replace(/(?:\.(?:min|bundle|chunk|prod|module|esm))*\.[cm]?js$/, '')
      .replace(/[.-][0-9a-f]{4,}$/, '');
    if (site !== undefined) names.push(site);
    else if (/[a-z]{3}/.test(page) && containsWord(page) && !plainBundle.test(page)) names.push(page);
  }
  return [...new Set(names)].slice(0, 3);
}

/** Files that every bundle has. */
const plainBundle =
  /^(?:\(page\)|\(script\)|<hash>.*|(?:vendors?~.*)|(?:.*\/)?(?:main|index|app|bundle|vendors?(?:~.*)?|runtime|chunk|common|commons|framework|scripts?|all|polyfills?|client|entry|build|dist|bootstrap|webpack|site|theme|frontend|module|lib|core|shared|assets|js|static|default|start|server|_app|app-client|chunk-vendors|application|app\.bundle))$/i;
