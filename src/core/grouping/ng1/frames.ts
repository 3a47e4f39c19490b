// The stack's part of `ng1` (docs/grouping.md, "Frames"): which frames speak for a fault, and how each is
// written so that builds, engines and machines agree. File and function names are cleaned in
// names.ts.
import type { ExceptionValue, StackFrame, Stacktrace } from '../../../../schemas/event.ts';
import {
  cleanFile,
  cleanFunction,
  cleanModule,
  isLibraryPath,
  isNativePath,
  isWebUrl,
  stateMachineMethod,
} from './names.ts';

/** What a stack says: its parts nearest the fault first, or why it was not used. */
export type StackParts =
  | { readonly kind: 'used'; readonly parts: readonly string[]; readonly note: string | null }
  | { readonly kind: 'minified' }
  | { readonly kind: 'none' };

const topFrames = 3;
const contextCharsMax = 120;
const recursionFramesMax = 6;

export interface Frame {
  readonly frame: StackFrame;
  readonly file: string;
  readonly function: string;
  readonly index: number;
}

/** The parts of one stack. `raw` is the stack before mapping, where the frames were mapped. */
export function stackParts(
  stack: Stacktrace | undefined,
  raw: Stacktrace | undefined,
  platform: string,
): StackParts {
  const frames = withoutRecursion(speakingFrames(stack?.frames ?? [], platform));
  if (frames.length === 0) return { kind: 'none' };
  const app = appFrames(frames, platform);
  const top = app.slice(-topFrames).reverse();
  const minified = top.filter((frame) => looksMinified(frame, raw, platform)).length;
  if (minified * 2 > top.length) return { kind: 'minified' };
  const only = top[0];
  if (top.length === 1 && only !== undefined && saysNoPlace(only)) return { kind: 'none' };
  const note = frames.length > app.length ? `${frames.length - app.length} library frames left out` : null;
  return { kind: 'used', parts: top.map(partOf), note };
}

/** Both the exception's stack and what it was before mapping. */
export function exceptionStackParts(exception: ExceptionValue, platform: string): StackParts {
  return stackParts(exception.stacktrace, exception.raw_stacktrace, platform);
}

export function isJavaScript(platform: string): boolean {
  return platform === 'javascript' || platform === 'node';
}

/** Without the frames that engines and wrappers add: native code, eval, and those that name nothing. */
function speakingFrames(frames: readonly StackFrame[], platform: string): Frame[] {
  const named: Frame[] = [];
  const awaits = frames.some((frame) =>
    /^(?:__awaiter|Generator\.next|_?asyncToGenerator)$/.test(frame.function ?? ''),
  );
  for (const [index, frame] of frames.entries()) {
    const language = frame.platform ?? platform;
    const path = frame.abs_path ?? frame.filename ?? '';
    if (isNativePath(frame.filename ?? '') || isNativePath(path)) continue;
    if (isWrapper(frame.function ?? '', language, awaits)) continue;
    const written = language === 'csharp' ? stateMachineMethod(frame) : null;
    const file = fileOf(written === null ? frame : { ...frame, module: written.module }, language);
    const name = cleanFunction(written?.function ?? frame.function ?? '', language);
    if (file === '' && name === '') continue;
    named.push({ frame, file, function: name, index });
  }
  return named;
}

const scriptWrappers = new Set([
  'eval',
  'eval code',
  'native',
  'sentryWrapped',
  'processTicksAndRejections',
  'process.processTicksAndRejections',
  'runMicrotasks',
  'asyncGeneratorStep',
  '_asyncToGenerator',
  '__awaiter',
  '__generator',
  '_next',
  '_throw',
  'Generator.next',
  'Generator.throw',
  'Generator.invoke',
  'Generator._invoke',
]);
const awaiterSteps = new Set(['step', 'fulfilled', 'rejected', 'adopt', 'verb', 'Object.next', 'tryCatch']);
const reflectionModules =
  /^(?:GeneratedMethodAccessor|NativeMethodAccessorImpl|DelegatingMethodAccessorImpl|DirectMethodHandleAccessor)/;

export function isWrapper(name: string, platform: string, awaits: boolean): boolean {
  if (isJavaScript(platform)) return scriptWrappers.has(name) || (awaits && awaiterSteps.has(name));
  return reflectionModules.test(name);
}

/** A module names the place better than a path, except for scripts, whose SDKs disagree about modules. */
function fileOf(frame: StackFrame, platform: string): string {
  const path = frame.filename ?? frame.abs_path ?? '';
  if (isJavaScript(platform) && path !== '') return cleanFile(path);
  if (frame.module !== undefined && frame.module !== '') return cleanModule(frame.module, platform);
  return cleanFile(path);
}

/** A call that repeats itself, directly or in a ring of up to six, counts once, however deep it went. */
export function withoutRecursion<Each extends Frame>(frames: readonly Each[]): Each[] {
  const kept: Each[] = [];
  for (const frame of frames) {
    kept.push(frame);
    for (let ring = 1; ring <= recursionFramesMax && ring * 2 <= kept.length; ring += 1) {
      if (repeats(kept, ring)) {
        kept.length -= ring;
        break;
      }
    }
  }
  return kept;
}

function repeats(frames: readonly Frame[], ring: number): boolean {
  for (let back = 1; back <= ring; back += 1) {
    const later = frames[frames.length - back];
    const earlier = frames[frames.length - back - ring];
    if (later === undefined || earlier === undefined || !sameCall(earlier, later)) return false;
  }
  return true;
}

/** Functions without a name are told apart by their line. */
function sameCall(a: Frame, b: Frame): boolean {
  if (a.file !== b.file || a.function !== b.function) return false;
  return a.function !== '' || a.frame.lineno === b.frame.lineno;
}

function appFrames(frames: readonly Frame[], platform: string): readonly Frame[] {
  const own = frames.filter(({ frame }) => !isLibraryPath(frame, platform));
  const said = frames.filter(({ frame }) => frame.in_app === true);
  if (said.length === 0) return own.length > 0 ? own : frames;
  // Browser SDKs say in_app of every frame: there the path must agree.
  const agreed = isJavaScript(platform) ? said.filter((frame) => own.includes(frame)) : said;
  return agreed.length > 0 ? agreed : said;
}

export function looksMinified(
  { frame, function: name, index }: Frame,
  raw: Stacktrace | undefined,
  platform: string,
): boolean {
  if (!isJavaScript(frame.platform ?? platform)) return false;
  if (wasMapped(frame, raw?.frames[index])) return false;
  const path = frame.filename ?? frame.abs_path ?? '';
  if (/[.-]min\.m?js(?:[?#]|$)/i.test(path)) return true;
  if ((frame.lineno ?? 9) <= 2 && (frame.colno ?? 0) > 300) return true;
  if (frame.lineno === 1 && (frame.context_line?.length ?? 0) > contextCharsMax) return true;
  return name.length > 0 && name.length <= 2 && (isWebUrl(path) || isWebUrl(frame.abs_path ?? ''));
}

/** Whether neither function nor line is known: a file alone is no place. */
function saysNoPlace({ frame, function: name }: Frame): boolean {
  return name === '' && frame.lineno === undefined && sourceLine(frame.context_line) === '';
}

export function wasMapped(frame: StackFrame, raw: StackFrame | undefined): boolean {
  return (
    raw !== undefined &&
    (raw.filename !== frame.filename || raw.lineno !== frame.lineno || raw.colno !== frame.colno)
  );
}

/** `file · function`, and the source line where it is the fault's own or the function has no name. */
function partOf({ frame, file, function: name }: Frame, index: number): string {
  const line = index === 0 || name === '' ? sourceLine(frame.context_line) : '';
  const place = `${file || '(no file)'} · ${name || '(anonymous)'}`;
  return line === '' ? place : `${place} · ${line}`;
}

function sourceLine(line: string | undefined): string {
  if (line === undefined || line.includes('{snip}')) return '';
  const text = line.trim();
  return text.length <= contextCharsMax ? text.replaceAll(/\s+/g, ' ') : '';
}
