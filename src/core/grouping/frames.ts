// The stack's part of `ng2` (docs/grouping.md, "Frames"): which frames speak for a fault, and whether they
// decide it by themselves. How a frame is written is in written-frames.ts.
import type { ExceptionValue, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import {
  isCarried,
  isForeign,
  isForeignWhateverIsSaid,
  isHelper,
  isMadeName,
  type KnownFrame,
  knownFrame,
  namesOf,
  speechOf,
} from './known-frames.ts';
import { isMappedScript, looksMinified, survivingNames, withoutUnmapped } from './minified.ts';
import { saysNothing } from './names/function-names.ts';
import { isClosure } from './names/unnamed.ts';
import type { GroupingFrame } from './parts.ts';
import { type Frame, isJavaScript } from './stacks/frame.ts';
import { isVersionedModule } from './stacks/libraries.ts';
import { madeOf, sourceOf, writtenFunction, writtenPart } from './written-frames.ts';

const ringMax = 6;
const cyclesMin = 3;

const comprehension = /^<(?:list|dict|set)comp>$/;

/** What a stack says: its parts nearest the fault first, or why it was not used. */
export type StackParts =
  | {
      readonly kind: 'used';
      readonly parts: readonly GroupingFrame[];
      readonly notes: readonly string[];
      /** False where the frames are no identity by themselves: then the message counts too. */
      readonly decides: boolean;
      /** Whether the fault lies in a function without a name: then its message counts too. */
      readonly isInClosure: boolean;
      /** Whether they are the application's own. */
      readonly areOwn: boolean;
      /** False where no frame of the application has a name or a place: then the kind of crash counts. */
      readonly isNamed: boolean;
      /** Frames left out because they only say that a program died. */
      readonly dying: number;
    }
  /** A minifier's names alone; `names` are those that it left. */
  | { readonly kind: 'minified'; readonly names: readonly string[] }
  | { readonly kind: 'none' };

const topFrames = 3;
/** So many frames of dying speak where no other frame says anything. */
const endingFrames = 2;
/** Shared helpers stand beside the three, up to this many in all. */
const framesMax = 8;

/** The parts of one stack. `raw` is the stack before mapping, where the frames were mapped. */
export function stackParts(
  stack: Stacktrace | undefined,
  raw: Stacktrace | undefined,
  platform: string,
): StackParts {
  const all = withInlinedComprehensions(stack?.frames ?? [], platform);
  const { frames: speaking, dying, ending } = speakingFrames(all, platform);
  if (speaking.length === 0) return { kind: 'none' };
  let { app, areOwn } = appFrames(speaking, platform);
  let named: readonly WrittenFrame[] = written(app, raw, platform).filter(
    ({ frame, function: name }) => !isBinaryAlone(frame, name),
  );
  const isNamed = named.length > 0;
  if (!isNamed) {
    [app, areOwn] = [speaking, false];
    named = written(app, raw, platform);
    // Where no library frame has a name either, the way in which the system ended the program has.
    if (named.every(({ frame, function: name }) => isBinaryAlone(frame, name))) {
      named = [...named, ...written(ending.slice(0, endingFrames), raw, platform)];
    }
  }
  const near = withoutRecursion(named);
  if (near.length === 0) return { kind: 'none' };
  const readable = withoutUnmapped(near, raw, platform).filter(
    (frame) => !isMadeName(frame.known, frame.function),
  );
  if (readable.length === 0) {
    return { kind: 'minified', names: survivingNames(near.slice(-topFrames), platform) };
  }
  const top = topOf(readable, raw, platform);
  const minified = top.filter((frame) => looksMinified(frame, raw, platform)).length;
  if (minified * 2 > top.length) return { kind: 'minified', names: survivingNames(top, platform) };
  const only = top[0];
  if (top.length === 1 && only !== undefined && saysNoPlace(only)) return { kind: 'none' };
  const notes = [];
  if (dying > 0) notes.push(`${dying} frames of dying left out`);
  if (speaking.length > app.length) {
    notes.push(`${speaking.length - app.length} library frames left out`);
  }
  const why = undecided(areOwn, top);
  if (why !== null) notes.push(`${why}: the message counts too`);
  if (!isNamed) notes.push('no own frame has a name: library frames and the kind of crash count');
  const isInClosure = areOwn && why === null && breaksInClosure(top, platform);
  if (isInClosure) notes.push('thrown in a function without a name: the message counts too');
  const parts = top.map(writtenPart);
  return { kind: 'used', parts, notes, decides: why === null, isInClosure, areOwn, isNamed, dying };
}

/** Both the exception's stack and what it was before mapping. */
export function exceptionStackParts(exception: ExceptionValue, platform: string): StackParts {
  return stackParts(exception.stacktrace, exception.raw_stacktrace, platform);
}

/**
 * The frame nearest the fault of those that a key would be made of, else the last; undefined where there is
 * nothing but what a language and its SDK run while they raise.
 */
export function faultFrame(all: readonly StackFrame[], platform: string): StackFrame | undefined {
  const { frames, isRaised } = speakingFrames(all, platform);
  const { app } = appFrames(frames, platform);
  const isNamed = ({ known }: Placed) => namesOf(known).function !== '' || namesOf(known).file !== '';
  return app.findLast(isNamed)?.frame ?? (isRaised ? undefined : all.at(-1));
}

/** A frame, what is known of its names, and its place in the stack. */
interface Placed {
  readonly frame: StackFrame;
  readonly known: KnownFrame;
  readonly index: number;
}

/** A frame as a key writes it. */
interface WrittenFrame extends Frame {
  readonly known: KnownFrame;
}

/** Without what names nothing: native code, wrappers, and what a program runs through while it dies. */
function speakingFrames(
  all: readonly StackFrame[],
  platform: string,
): {
  readonly frames: Placed[];
  readonly dying: number;
  readonly ending: readonly Placed[];
  readonly isRaised: boolean;
} {
  const known = all.map((frame) => knownFrame(frame, frame.platform ?? platform));
  const interrupted = known.findLastIndex((one) => speechOf(one).isInterrupt);
  const raised = known.findIndex((one) => speechOf(one).isRaising);
  const end = Math.min(...[interrupted, raised].map((at) => (at > 0 ? at : all.length)));
  const awaits = known.some((one, index) => index < end && speechOf(one).isAwaiter);
  const speaking: Placed[] = [];
  const ending: Placed[] = [];
  let dying = all.length - end;
  for (let index = 0; index < end; index += 1) {
    const one = known[index] as KnownFrame;
    const { kind, isStep } = speechOf(one);
    const placed = { frame: all[index] as StackFrame, known: one, index };
    if (kind === 'beneath' || kind === 'dying') ending.push(placed);
    if (kind === 'dying') dying += 1;
    if (kind === 'speaking' && !(awaits && isStep)) speaking.push(placed);
  }
  return { frames: speaking, dying, ending, isRaised: raised > 0 };
}

/** So many frames nearest the fault are brought into words; a recursion counts as one of them. */
const writtenMax = 60;

/** The frames nearest the fault as a key writes them, the oldest of them first. */
function written(
  frames: readonly Placed[],
  raw: Stacktrace | undefined,
  platform: string,
): readonly WrittenFrame[] {
  const asSent = frames.map(({ frame, known, index }) => ({
    frame,
    known,
    index,
    file: frame.filename ?? frame.module ?? frame.abs_path ?? frame.package ?? '',
    // Without a symbol its address tells a frame from the next.
    function: frame.function || `${frame['instruction_addr'] ?? ''}`,
  }));
  const near: WrittenFrame[] = [];
  for (const { frame, known, index } of withoutRecursion(steadyRing(asSent)).slice(-writtenMax)) {
    const names = namesOf(known);
    const name = writtenFunction(names, frame, raw?.frames[index], frame.platform ?? platform);
    const { file } = names;
    if (file !== '' || name !== '') near.push({ frame, known, file, function: name, index });
  }
  return near;
}

/** Whether of a frame whose function is written so nothing is known but the binary in which it lies. */
function isBinaryAlone(frame: StackFrame, name: string): boolean {
  return (
    name === '' &&
    frame.package !== undefined &&
    saysNothing(frame.filename ?? '') &&
    saysNothing(frame.module ?? '') &&
    sourceOf(frame) === ''
  );
}

/** The application's own frames, or all where none is. */
function appFrames(
  frames: readonly Placed[],
  platform: string,
): { readonly app: readonly Placed[]; readonly areOwn: boolean } {
  const own = frames.filter(({ frame, known }) => frame.in_app !== false && !isForeign(known));
  const said = frames.filter(({ frame }) => frame.in_app === true);
  // Browser SDKs say in_app of every frame, and so do others that know nothing: there the path must agree.
  const isSaidOfAll = isJavaScript(platform) || frames.every(({ frame }) => frame.in_app === true);
  const isOthers = isSaidOfAll ? isForeign : isForeignWhateverIsSaid;
  const agreed = said.filter(({ known }) => !isOthers(known));
  const chosen = said.length > 0 ? agreed : own;
  const unversioned = chosen.filter(({ frame }) => !isVersionedModule(frame));
  const mine = (unversioned.length > 0 ? unversioned : chosen).filter(
    ({ frame, known }) => !isCarried(known, frame.in_app === true),
  );
  if (mine.length > 0) return { app: mine, areOwn: true };
  return { app: said.length > 0 ? said : frames, areOwn: false };
}

/**
 * The frames nearest the fault: three that are no shared helper, and the helpers among them. Of a mapped
 * script only those up to the first function with a name, where the fault's line says what failed: minifiers
 * put functions into their callers as they see fit, and which callers are left is chance.
 */
function topOf(
  frames: readonly WrittenFrame[],
  raw: Stacktrace | undefined,
  platform: string,
): readonly WrittenFrame[] {
  const top: WrittenFrame[] = [];
  const isSteady = (frame: WrittenFrame) =>
    frame.function !== '' && isMappedScript(frame, raw, platform) && !throwsWhatItIsGiven(frames.at(-1));
  let callers = 0;
  for (let at = frames.length - 1; at >= 0 && callers < topFrames && top.length < framesMax; at -= 1) {
    const frame = frames[at] as WrittenFrame;
    top.push(frame);
    if (isHelper(frame.known, frame.function)) continue;
    callers += 1;
    if (isSteady(frame)) break;
  }
  return top;
}

/** Whether the fault's line is unknown, or makes an error of words that the caller hands in. */
function throwsWhatItIsGiven(frame: WrittenFrame | undefined): boolean {
  if (frame === undefined || isHelper(frame.known, frame.function)) return false;
  const line = madeOf(frame.frame);
  if (!/\w{3}/.test(line)) return true;
  return (
    /\bthrow\b|\bnew [\w$.]{0,64}(?:Error|Exception)\b|\breject\(/.test(line) &&
    !/["'`][^"'`]{0,64}\w/.test(line)
  );
}

/** Why frames are no identity by themselves, or null where they are. */
function undecided(areOwn: boolean, top: readonly WrittenFrame[]): string | null {
  if (!areOwn) return "no frame is the application's own";
  const callers = top.filter((frame) => !isHelper(frame.known, frame.function));
  if (callers.length === 0) return 'only helpers that many share';
  const isNameless = ({ frame, function: name }: Frame) => isAnonymous(name) && sourceOf(frame) === '';
  if (callers.every(isNameless) && new Set(callers.map(({ file }) => file)).size === 1) {
    return 'no function is named';
  }
  return callers.every(onlyLoads) ? 'only files that load others' : null;
}

/** Whether the fault lies in a closure whose line nobody knows: a method may have several. */
function breaksInClosure(top: readonly WrittenFrame[], platform: string): boolean {
  const nearest = top.find((frame) => !isHelper(frame.known, frame.function))?.frame;
  if (nearest === undefined || sourceOf(nearest) !== '') return false;
  return isClosure(nearest, nearest.platform ?? platform);
}

/** A line of PHP outside of any function that loads another file: every request passes there. */
function onlyLoads({ frame, function: name }: Frame): boolean {
  if (name !== '' && !/^(?:require|include)(?:_once)?$|^\{main\}$/.test(name)) return false;
  return /^(?:\S{1,64} ?= ?)?(?:require|include)(?:_once)?\b/.test(sourceOf(frame));
}

/** A closure of whatever function, or a script's own body: any of them may be it. */
function isAnonymous(name: string): boolean {
  return (
    name === '' ||
    /^lambda\$|\.func$|\{closure\}$|<>c\b|\$\$Lambda$|^closure |^block in |^<main>$|^on[a-z]{3,24}$|^<top \(required\)>$|^\{main\}$|<?anonymous closure>?$/.test(
      name,
    )
  );
}

/** Whether neither function nor line is known: a file alone is no place. */
function saysNoPlace({ frame, function: name }: Frame): boolean {
  if (frame.package !== undefined) return false;
  return name === '' && frame.lineno === undefined && sourceOf(frame) === '';
}

/**
 * The frames as Python 3.12 and newer gives them: a comprehension runs in the function around it, at the line
 * where it stands (PEP 709). Older versions have a frame for each. The same array where nothing is inlined.
 */
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

/**
 * The stack without its newest frames up to where the ring of a recursion begins: which of its functions met
 * the end of the stack is chance. A stack without such a ring as it is.
 */
export function steadyRing<Each extends Frame>(frames: readonly Each[]): readonly Each[] {
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

/** A call that repeats itself, directly or in a ring of up to six, counts once, however deep it went. */
function withoutRecursion<Each extends Frame>(frames: readonly Each[]): Each[] {
  const kept: Each[] = [];
  for (const frame of frames) {
    kept.push(frame);
    for (let ring = 1; ring <= ringMax && ring * 2 <= kept.length; ring += 1) {
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
