// Selects the frames that identify an error, and decides whether they are enough without the message.
import type { StackFrame, Stacktrace } from '../../../schemas/event.ts';
import type { GroupingFrame } from './fingerprint-parts.ts';
import {
  type FrameFacts,
  getFrameFacts,
  getFrameRole,
  getNormalizedNames,
  isBundledThirdParty,
  isGeneratedName,
  isThirdPartyFrame,
  isThirdPartyFrameDespiteInApp,
  isThrowingHelper,
} from './frame-facts.ts';
import { isMappedScript, looksMinified, removeUnmappedFrames, unminifiedNames } from './minified-names.ts';
import { isUnknownName } from './names/function-names.ts';
import { isClosure } from './names/unnamed.ts';
import {
  findThrowLine,
  normalizeFrameFunction,
  sourceStatement,
  toGroupingFrame,
} from './normalize-frame.ts';
import { type Frame, isJavaScript } from './stacks/frame.ts';
import { isVersionedModule } from './stacks/in-app.ts';

const ringMax = 6;
const cyclesMin = 3;

const comprehension = /^<(?:list|dict|set)comp>$/;

export type SelectedFrames =
  | {
      readonly kind: 'used';
      readonly frames: readonly GroupingFrame[];
      readonly notes: readonly string[];
      /** False where the message has to count too. */
      readonly decides: boolean;
      readonly isInClosure: boolean;
      readonly areOwn: boolean;
      /** False where no frame of the app has a name or a file: then the type of crash counts. */
      readonly isNamed: boolean;
      readonly crashing: number;
    }
  | { readonly kind: 'minified'; readonly names: readonly string[] }
  | { readonly kind: 'none' };

const topFrames = 3;
const endingFrames = 2;
/** Maximum including shared helpers. */
const framesMax = 8;

/** `raw` is the stack before symbolication. */
export function selectFrames(
  stack: Stacktrace | undefined,
  raw: Stacktrace | undefined,
  platform: string,
): SelectedFrames {
  const all = withInlinedComprehensions(stack?.frames ?? [], platform);
  const { frames: relevant, crashing, ending } = selectRelevantFrames(all, platform);
  if (relevant.length === 0) return { kind: 'none' };
  let { app, areOwn } = appFrames(relevant, platform);
  let named: readonly WrittenFrame[] = written(app, raw, platform).filter(
    ({ frame, function: name }) => !hasOnlyBinary(frame, name),
  );
  const isNamed = named.length > 0;
  if (!isNamed) {
    [app, areOwn] = [relevant, false];
    named = written(app, raw, platform);
    if (named.every(({ frame, function: name }) => hasOnlyBinary(frame, name))) {
      named = [...named, ...written(ending.slice(0, endingFrames), raw, platform)];
    }
  }
  const distinctFrames = withoutRecursion(named);
  if (distinctFrames.length === 0) return { kind: 'none' };
  const readable = removeUnmappedFrames(distinctFrames, raw, platform).filter(
    (frame) => !isGeneratedName(frame.known, frame.function),
  );
  if (readable.length === 0) {
    return { kind: 'minified', names: unminifiedNames(distinctFrames.slice(-topFrames), platform) };
  }
  const top = topOf(readable, raw, platform);
  const minified = top.filter((frame) => looksMinified(frame, raw, platform)).length;
  if (minified * 2 > top.length) return { kind: 'minified', names: unminifiedNames(top, platform) };
  const first = top[0];
  if (top.length === 1 && first !== undefined && hasNoLocation(first)) return { kind: 'none' };
  const notes = [];
  if (crashing > 0) notes.push(`${crashing} crash-handling frames left out`);
  if (relevant.length > app.length) {
    notes.push(`${relevant.length - app.length} library frames left out`);
  }
  const undecidedReason = undecided(areOwn, top);
  if (undecidedReason !== null) notes.push(`${undecidedReason}: the message counts too`);
  if (!isNamed) notes.push('no in-app frame has a name: library frames and the kind of crash are used');
  const isInClosure = areOwn && undecidedReason === null && breaksInClosure(top, platform);
  if (isInClosure) notes.push('thrown in a function without a name: the message counts too');
  const frames = top.map(toGroupingFrame);
  return {
    kind: 'used',
    frames,
    notes,
    decides: undecidedReason === null,
    isInClosure,
    areOwn,
    isNamed,
    crashing,
  };
}

/** The named frame nearest to the error, else the last. Undefined where it was only raised in the runtime. */
export function findErrorFrame(all: readonly StackFrame[], platform: string): StackFrame | undefined {
  const { frames, isRaised } = selectRelevantFrames(all, platform);
  const { app } = appFrames(frames, platform);
  const isNamed = ({ known }: IndexedFrame) =>
    getNormalizedNames(known).function !== '' || getNormalizedNames(known).file !== '';
  return app.findLast(isNamed)?.frame ?? (isRaised ? undefined : all.at(-1));
}

interface IndexedFrame {
  readonly frame: StackFrame;
  readonly known: FrameFacts;
  readonly index: number;
}

interface WrittenFrame extends Frame {
  readonly known: FrameFacts;
}

function selectRelevantFrames(
  all: readonly StackFrame[],
  platform: string,
): {
  readonly frames: IndexedFrame[];
  readonly crashing: number;
  readonly ending: readonly IndexedFrame[];
  readonly isRaised: boolean;
} {
  const known = all.map((frame) => getFrameFacts(frame, frame.platform ?? platform));
  const interrupted = known.findLastIndex((one) => getFrameRole(one).isInterrupt);
  const raised = known.findIndex((one) => getFrameRole(one).isRaising);
  const end = Math.min(...[interrupted, raised].map((at) => (at > 0 ? at : all.length)));
  const awaits = known.some((one, index) => index < end && getFrameRole(one).isAwaiter);
  const relevant: IndexedFrame[] = [];
  const ending: IndexedFrame[] = [];
  let crashing = all.length - end;
  for (let index = 0; index < end; index += 1) {
    const one = known[index] as FrameFacts;
    const { kind, isStep } = getFrameRole(one);
    const indexed = { frame: all[index] as StackFrame, known: one, index };
    if (kind === 'beneath' || kind === 'dying') ending.push(indexed);
    if (kind === 'dying') crashing += 1;
    if (kind === 'speaking' && !(awaits && isStep)) relevant.push(indexed);
  }
  return { frames: relevant, crashing, ending, isRaised: raised > 0 };
}

const writtenMax = 60;

/** Oldest first. */
function written(frames: readonly IndexedFrame[], raw: Stacktrace | undefined, platform: string) {
  const asSent = frames.map(({ frame, known, index }) => ({
    frame,
    known,
    index,
    file: frame.filename ?? frame.module ?? frame.abs_path ?? frame.package ?? '',
    function: frame.function || `${frame['instruction_addr'] ?? ''}`,
  }));
  const result: WrittenFrame[] = [];
  for (const { frame, known, index } of withoutRecursion(cutMutualRecursion(asSent)).slice(-writtenMax)) {
    const names = getNormalizedNames(known);
    const name = normalizeFrameFunction(names, frame, raw?.frames[index], frame.platform ?? platform);
    const { file } = names;
    if (file !== '' || name !== '') result.push({ frame, known, file, function: name, index });
  }
  return result;
}

function hasOnlyBinary(frame: StackFrame, name: string): boolean {
  return (
    name === '' &&
    frame.package !== undefined &&
    isUnknownName(frame.filename ?? '') &&
    isUnknownName(frame.module ?? '') &&
    sourceStatement(frame) === ''
  );
}

function appFrames(
  frames: readonly IndexedFrame[],
  platform: string,
): { readonly app: readonly IndexedFrame[]; readonly areOwn: boolean } {
  const inAppFrames = frames.filter(
    ({ frame, known }) => frame.in_app !== false && !isThirdPartyFrame(known),
  );
  const marked = frames.filter(({ frame }) => frame.in_app === true);
  // Browser SDKs and others set in_app for every frame: then the path has to agree.
  const isSetForAll = isJavaScript(platform) || frames.every(({ frame }) => frame.in_app === true);
  const isOthers = isSetForAll ? isThirdPartyFrame : isThirdPartyFrameDespiteInApp;
  const agreed = marked.filter(({ known }) => !isOthers(known));
  const chosen = marked.length > 0 ? agreed : inAppFrames;
  const unversioned = chosen.filter(({ frame }) => !isVersionedModule(frame));
  const mine = (unversioned.length > 0 ? unversioned : chosen).filter(
    ({ frame, known }) => !isBundledThirdParty(known, frame.in_app === true),
  );
  if (mine.length > 0) return { app: mine, areOwn: true };
  return { app: marked.length > 0 ? marked : frames, areOwn: false };
}

/** Three frames and the helpers between them. For symbolicated scripts, only up to the first named function, since
 * minifiers inline functions into callers unpredictably. */
function topOf(frames: readonly WrittenFrame[], raw: Stacktrace | undefined, platform: string) {
  const top: WrittenFrame[] = [];
  const isSteady = (frame: WrittenFrame) =>
    frame.function !== '' && isMappedScript(frame, raw, platform) && !throwsCallerText(frames.at(-1));
  let callers = 0;
  for (let at = frames.length - 1; at >= 0 && callers < topFrames && top.length < framesMax; at -= 1) {
    const frame = frames[at] as WrittenFrame;
    top.push(frame);
    if (isThrowingHelper(frame.known, frame.function)) continue;
    callers += 1;
    if (isSteady(frame)) break;
  }
  return top;
}

/** The line is unknown, or only throws text from the caller. */
function throwsCallerText(frame: WrittenFrame | undefined): boolean {
  if (frame === undefined || isThrowingHelper(frame.known, frame.function)) return false;
  const line = findThrowLine(frame.frame);
  if (!/\w{3}/.test(line)) return true;
  return (
    /\bthrow\b|\bnew [\w$.]{0,64}(?:Error|Exception)\b|\breject\(/.test(line) &&
    !/["'`][^"'`]{0,64}\w/.test(line)
  );
}

function undecided(areOwn: boolean, top: readonly WrittenFrame[]): string | null {
  if (!areOwn) return 'no in-app frame';
  const callers = top.filter((frame) => !isThrowingHelper(frame.known, frame.function));
  if (callers.length === 0) return 'only shared helper functions';
  const isNameless = ({ frame, function: name }: Frame) => isAnonymous(name) && sourceStatement(frame) === '';
  if (callers.every(isNameless) && new Set(callers.map(({ file }) => file)).size === 1) {
    return 'no function is named';
  }
  return callers.every(onlyLoads) ? 'only files that load others' : null;
}

/** A method may have several closures, so a line is needed. */
function breaksInClosure(top: readonly WrittenFrame[], platform: string): boolean {
  const nearest = top.find((frame) => !isThrowingHelper(frame.known, frame.function))?.frame;
  if (nearest === undefined || sourceStatement(nearest) !== '') return false;
  return isClosure(nearest, nearest.platform ?? platform);
}

/** PHP code that includes another file: every request passes there. */
function onlyLoads({ frame, function: name }: Frame): boolean {
  if (name !== '' && !/^(?:require|include)(?:_once)?$|^\{main\}$/.test(name)) return false;
  return /^(?:\S{1,64} ?= ?)?(?:require|include)(?:_once)?\b/.test(sourceStatement(frame));
}

function isAnonymous(name: string): boolean {
  return (
    name === '' ||
    /^lambda\$|\.func$|\{closure\}$|<>c\b|\$\$Lambda$|^closure |^block in |^<main>$|^on[a-z]{3,24}$|^<top \(required\)>$|^\{main\}$|<?anonymous closure>?$/.test(
      name,
    )
  );
}

function hasNoLocation({ frame, function: name }: Frame): boolean {
  if (frame.package !== undefined) return false;
  return name === '' && frame.lineno === undefined && sourceStatement(frame) === '';
}

/** Python 3.12 runs comprehensions in the enclosing function (PEP 709); older versions have a frame for each. */
function withInlinedComprehensions(frames: readonly StackFrame[], platform: string): readonly StackFrame[] {
  const isOne = (frame: StackFrame): boolean =>
    (frame.platform ?? platform) === 'python' && comprehension.test(frame.function ?? '');
  if (!frames.some(isOne)) return frames;
  const joined: StackFrame[] = [];
  for (const frame of frames) {
    const around = joined.at(-1);
    const isInside = around !== undefined && isOne(frame) && around.filename === frame.filename;
    if (!isInside) joined.push(frame);
    else joined[joined.length - 1] = { ...frame, function: around.function };
  }
  return joined;
}

/** Cuts a recursion over several functions to a fixed start: which of them exceeds the stack is random. */
export function cutMutualRecursion<Each extends Frame>(frames: readonly Each[]): readonly Each[] {
  for (let ring = 2; ring <= ringMax && ring * cyclesMin <= frames.length; ring += 1) {
    if (!isRing(frames, ring)) continue;
    const names = frames.slice(-ring).map(({ file, function: name }) => `${file} ${name}`);
    if (new Set(names).size < 2) return frames;
    const first = names.indexOf([...names].sort()[0] as string);
    return frames.slice(0, frames.length - (ring - 1 - first));
  }
  return frames;
}

function isRing(frames: readonly Frame[], ring: number): boolean {
  for (let back = 1; back <= ring * (cyclesMin - 1); back += 1) {
    const later = frames[frames.length - back] as Frame;
    const earlier = frames[frames.length - back - ring] as Frame;
    if (later.file !== earlier.file || later.function !== earlier.function) return false;
  }
  return true;
}

/** Direct recursion, or over up to six functions, counts once. */
function withoutRecursion<Each extends Frame>(frames: readonly Each[]): Each[] {
  const result: Each[] = [];
  for (const frame of frames) {
    result.push(frame);
    for (let ring = 1; ring <= ringMax && ring * 2 <= result.length; ring += 1) {
      if (repeats(result, ring)) {
        result.length -= ring;
        break;
      }
    }
  }
  return result;
}

function repeats(frames: readonly Frame[], ring: number): boolean {
  for (let back = 1; back <= ring; back += 1) {
    const later = frames[frames.length - back];
    const earlier = frames[frames.length - back - ring];
    if (later === undefined || earlier === undefined || !sameCall(earlier, later)) return false;
  }
  return true;
}

/** Unnamed functions are compared by line. */
function sameCall(a: Frame, b: Frame): boolean {
  if (a.file !== b.file || a.function !== b.function) return false;
  return a.function !== '' || a.frame.lineno === b.frame.lineno;
}
