// Which issue an event belongs to: `ng2` (docs/grouping.md). Deterministic: no clock, no database; the answer
// explains itself.
// Never in the key: release, environment, user, tags, URL, transaction, server, line numbers.
import type { ExceptionValue, NormalizedEvent, Stacktrace } from '../../../schemas/event.ts';
import { isRecord } from '../reading/lenient.ts';
import { ownCopy, remembered } from '../reading/remembered.ts';
import type { FramePlace, Grouping } from '../store/events.ts';
import { isEnding } from './dying.ts';
import { exceptionStackParts, type StackParts, stackParts } from './frames.ts';
import { inImages } from './images.ts';
import { canonicalValue, languageOfMessage, tellingOf, wordingOf } from './messages.ts';
import { sourceType } from './minified.ts';
import { cleanFunction, cleanModule } from './names/function-names.ts';
import { isListOfErrors, isUnnamedType } from './names/unnamed.ts';
import { codesText, type GroupingPart, groupingOf, partText, textPart } from './parts.ts';
import { firstLine } from './plain-line.ts';
import { isExceptionGroup } from './stacks/exception-tree.ts';
import { isJavaScript } from './stacks/frame.ts';

/** Python 3 made one type of these, and 3.10, 3.11 and 3.13 renamed the others. */
const python = new Map([
  ['IOError', 'OSError'],
  ['EnvironmentError', 'OSError'],
  ['WindowsError', 'OSError'],
  ['VMSError', 'OSError'],
  ['socket.error', 'OSError'],
  ['select.error', 'OSError'],
  ['socket.timeout', 'TimeoutError'],
  ['timeout', 'TimeoutError'],
  ['asyncio.TimeoutError', 'TimeoutError'],
  ['asyncio.exceptions.TimeoutError', 'TimeoutError'],
  ['concurrent.futures.TimeoutError', 'TimeoutError'],
  ['concurrent.futures._base.TimeoutError', 'TimeoutError'],
  ['re.error', 'PatternError'],
  ['sre_constants.error', 'PatternError'],
  ['re.PatternError', 'PatternError'],
  ['StandardError', 'Exception'],
  ['ssl.CertificateError', 'SSLCertVerificationError'],
]);

const ruby = new Map([
  ['Fixnum', 'Integer'],
  ['Bignum', 'Integer'],
  ['TimeoutError', 'Timeout::Error'],
]);

/** The rule's name: it stands in every hash. */
export const groupingAlgorithm = 'ng2';
const chainMax = 5;
/** All that an event may hold: which members of a group come last in the list is chance. */
export const groupMax = 50;

/**
 * The grouping of an event: `hash` is 64 hex of sha256 over algorithm, source and parts; `source`, `parts`
 * and `notes` say why. The client's own fingerprint wins; `{{ default }}` in it stands for ours.
 * docs/grouping.md, "How a fingerprint comes about".
 */
export function fingerprintOf(event: NormalizedEvent): Grouping {
  return groupingBy(event, componentsOf(event));
}

/**
 * The parts of an event's grouping as data, in their order; null where another rule than the newest gave it
 * `hash`.
 */
export function explainGrouping(event: NormalizedEvent, hash: string): readonly GroupingPart[] | null {
  const found = componentsOf(event);
  const grouping = groupingBy(event, found);
  if (grouping.hash !== hash) return null;
  if (grouping.source === 'fingerprint') return grouping.parts.map(textPart);
  const own = grouping.parts.slice(0, grouping.parts.length - found.parts.length);
  return [...own.map(textPart), ...found.parts];
}

/** Unicode spells some letters in two ways; a name is the same in both. */
function groupingBy(event: NormalizedEvent, { parts, ...rest }: Found): Grouping {
  const own = (event.fingerprint ?? []).map((member) => member.normalize('NFC'));
  const texts = parts.map((part) => partText(part).normalize('NFC'));
  const grouping = groupingOf(groupingAlgorithm, { ...rest, parts: texts }, own);
  const frames = grouping.source === 'fingerprint' ? [] : placesOf(parts);
  return frames.length === 0 ? grouping : { ...grouping, frames };
}

function placesOf(parts: readonly GroupingPart[]): FramePlace[] {
  return parts
    .flatMap((part) => (part.kind === 'frames' ? part.frames : []))
    .map(({ file, function: name }) => ({ file: file.normalize('NFC'), function: name.normalize('NFC') }));
}

/** What decides an event's issue, before it becomes text. */
interface Found {
  readonly source: string;
  readonly parts: readonly GroupingPart[];
  readonly notes: readonly string[];
}

function componentsOf(event: NormalizedEvent): Found {
  const exceptions = (event.exception?.values ?? []).filter(
    (one) => one.type !== undefined || one.value !== undefined || one.stacktrace !== undefined,
  );
  if (exceptions.length > 0) {
    const placed = withThreadStack(exceptions, event).map((one) => ({
      ...one,
      stacktrace: inImages(one.stacktrace, event),
    }));
    return exceptionComponents(placed, event.platform);
  }
  return (
    messageComponents(event) ??
    threadComponents(event) ?? { source: 'empty', parts: [textPart(event.platform)], notes: [] }
  );
}

/**
 * The chain of causes by where each broke, and by the codes in their messages; by type and message where no
 * stack can be used, by both where the stack is no identity.
 */
function exceptionComponents(exceptions: readonly ExceptionValue[], platform: string): Found {
  const notes = new Set<string>();
  const hasGroup = exceptions.some(isExceptionGroup);
  const max = hasGroup ? groupMax : chainMax;
  const chain = exceptions.slice(-max);
  if (chain.length < exceptions.length) notes.add(`the last ${max} of ${exceptions.length} exceptions used`);
  const stacks = chain.map((exception) => exceptionStackParts(exception, platform));
  for (const stack of stacks) noteStack(stack, notes);
  if (!stacks.some((stack) => stack.kind === 'used')) {
    const pairs = inSteadyOrder(chain, saidBy(chain, stacks, platform, notes), hasGroup);
    // Those that say the same count once.
    const said = new Map(pairs.map((pair) => [pair.join('\0'), pair]));
    return { source: 'exception', parts: [...said.values()].flat().map(textPart), notes: [...notes] };
  }
  const isDecided = stacks.some((stack) => stack.kind === 'used' && stack.decides);
  const parts = chain.map((exception, at) => {
    const found = stacks[at] as StackParts;
    // Where own frames decide, those of libraries around them say which version of these runs.
    const stack = isDecided && found.kind === 'used' && !found.areOwn ? nothingSaid : found;
    return partOf(exception, stack, { platform, mayBeGroup: chain.length > 1, notes });
  });
  const ordered = inSteadyOrder(chain, parts, hasGroup);
  // Each row of a batch that fails in one way is one more of the same.
  const texts = ordered.map(partText);
  const unequal = ordered.filter((_part, at) => texts[at] !== texts[at - 1]);
  return { source: 'stacktrace', parts: unequal, notes: [...notes] };
}

/**
 * What was made of each exception of a chain. The members of a group failed side by side, and which of them
 * comes first is chance: each counts once, in the order of its text, the first four of them.
 */
function inSteadyOrder<Each extends GroupingPart | readonly string[]>(
  chain: readonly ExceptionValue[],
  made: readonly Each[],
  hasGroup: boolean,
): readonly Each[] {
  const group = hasGroup ? chain.findLastIndex(isExceptionGroup) : -1;
  if (group < 1) return made;
  const textOfOne = (one: Each): string => ('kind' in one ? partText(one) : one.join('\0'));
  const members = new Map(made.slice(0, group).map((one) => [textOfOne(one), one]));
  const sorted = [...members.keys()].sort().slice(0, chainMax - 1);
  return [...sorted.map((key) => members.get(key) as Each), ...made.slice(group)];
}

/** Type and message of each exception of a chain without stacks. */
function saidBy(
  chain: readonly ExceptionValue[],
  stacks: readonly StackParts[],
  platform: string,
  notes: Set<string>,
): readonly (readonly string[])[] {
  return chain.map((one, at) => [
    typeOf(one, platform) + survivors(stacks[at] as StackParts),
    wordsOf(one, platform, notes),
  ]);
}

/** The message of an exception without what varies; its codes are noted. */
function wordsOf(exception: ExceptionValue, platform: string, notes: Set<string>): string {
  const { value = '', type = '' } = exception;
  if (isListOfErrors(type, platform)) return listedWords(exception, platform, notes);
  const { text, codes } = canonicalValue(value, type, languageOfMessage(exception, platform));
  noteCodes(codes, notes);
  return text;
}

const listedMax = 12;

/** The words of an error that only lists others, one a line, in whichever order they came. */
function listedWords({ value = '' }: ExceptionValue, platform: string, notes: Set<string>): string {
  const lines = value
    .split(/[\r\n]+/, listedMax)
    .map((line) => line.replace(/^\s*(?:\* )?|^\d{1,9} errors? occurred:$/g, ''))
    .filter((line) => line.trim() !== '');
  const said = lines.map((line) => canonicalValue(line, '', platform));
  noteCodes([...new Set(said.flatMap(({ codes }) => codes))], notes);
  return [...new Set(said.map(({ text }) => text))].sort().join('; ');
}

const nothingSaid: StackParts = { kind: 'none' };

/** One exception of a chain where a stack can be used: its type, where it broke, and what counts beside. */
function partOf(
  exception: ExceptionValue,
  stack: StackParts,
  { platform, mayBeGroup, notes }: { platform: string; mayBeGroup: boolean; notes: Set<string> },
): GroupingPart {
  const type = typeOf(exception, platform);
  // What only lists others says what they say, in whichever order they came.
  const isList = mayBeGroup && isExceptionGroup(exception) && isListOfErrors(type, platform);
  const isUnnamed = !isList && isUnnamedType(type, platform);
  if (stack.kind !== 'used') {
    if (isUnnamed) return textPart(`${type}${survivors(stack)} : ${wordsOf(exception, platform, notes)}`);
    return textPart(type + survivors(stack) + codesText(messageCodes(exception, notes)));
  }
  const isSynthetic = exception.mechanism?.['synthetic'] === true;
  const isEnded = stack.isNamed && isEnding(type, stack.dying > 0);
  const framesDecide = stack.decides && !stack.isInClosure && !isUnnamed;
  if (isUnnamed) notes.add('its type names no error: the message counts too');
  return {
    kind: 'frames',
    type: isSynthetic ? '(synthetic)' : isEnded ? '(ended itself)' : type,
    frames: stack.parts,
    // All of the message counts where type and frames are no identity, else its codes.
    message: framesDecide ? '' : wordsOf(exception, platform, notes),
    codes: framesDecide && !isList ? messageCodes(exception, notes) : [],
  };
}

/** What a minifier has left of the names in a stack that was not mapped. */
function survivors(stack: StackParts): string {
  return stack.kind === 'minified' && stack.names.length > 0 ? ` in ${stack.names.join(', ')}` : '';
}

/** What of the message counts beside a stack that decides. */
function messageCodes(exception: ExceptionValue, notes: Set<string>): readonly string[] {
  const codes = [...tellingOf(exception.value), ...errorCodes(exception)];
  noteCodes(codes, notes);
  return codes;
}

/** The code of an NSError, which its SDK puts beside the message. */
function errorCodes({ mechanism }: ExceptionValue): readonly string[] {
  const meta = mechanism?.['meta'];
  if (!isRecord(meta) || !isRecord(meta['ns_error'])) return [];
  const { domain, code } = meta['ns_error'];
  return [domain, code].filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
}

function noteStack(stack: StackParts, notes: Set<string>): void {
  if (stack.kind === 'minified') notes.add('minified, no map: stack not used');
  else if (stack.kind === 'used') for (const note of stack.notes) notes.add(note);
}

function noteCodes(codes: readonly string[], notes: Set<string>): void {
  if (codes.length > 0) notes.add(`kept of the message: ${codes.join(', ')}`);
}

/** The type without generated names; one name for what engines call differently. */
function typeOf(exception: ExceptionValue, platform: string): string {
  const type = exception.type ?? '';
  if (!isJavaScript(platform)) {
    return currentType(cleanType(type, platform), exception.module, platform);
  }
  const spoken = sourceType(exception, platform);
  if (spoken !== null) return spoken;
  const wording = wordingOf(exception.value ?? '');
  return (wording === null ? undefined : typeByWording.get(wording)) ?? type;
}

function cleanType(type: string, platform: string): string {
  const text = `${platform.length} ${platform}${type}`;
  return types.recall(text) ?? types.keep(text, cleanFunction(ownCopy(type), platform) || ownCopy(type));
}

const types = remembered<string>({ textsMax: 2048, charactersMax: 300 });

function messageComponents(event: NormalizedEvent): Found | null {
  const notes = new Set<string>();
  const template = templateOf(event);
  if (template !== null) {
    const telling = tellingOf(event.logentry?.formatted ?? filled(template, event.logentry?.params));
    noteCodes(telling, notes);
    return { source: 'template', parts: [firstLine(template), ...telling].map(textPart), notes: [...notes] };
  }
  const text = textOf(event);
  if (text.trim() === '') return null;
  const { text: value, codes } = canonicalValue(text, '', event.platform);
  noteCodes(codes, notes);
  return { source: 'message', parts: [textPart(value)], notes: [...notes] };
}

/** A template with its parameters: what it is filled with may hold a code, or the place that was asked. */
function filled(template: string, params: unknown): string {
  const values = Array.isArray(params) ? params : isRecord(params) ? Object.values(params) : [];
  const texts = values
    .slice(0, 16)
    .map((one) => (typeof one === 'string' || typeof one === 'number' ? `${one}` : ''));
  let at = 0;
  return firstLine(template).replace(
    /%(?:\(\w{1,64}\))?[sdifrxoOj]|\{[\w.]{0,64}\}|\$\d/g,
    () => texts[at++] ?? '',
  );
}

/** Native SDKs leave the stack of a crash with its thread. */
function withThreadStack(
  exceptions: readonly ExceptionValue[],
  event: NormalizedEvent,
): readonly ExceptionValue[] {
  if (exceptions.some((exception) => (exception.stacktrace?.frames.length ?? 0) > 0)) return exceptions;
  const thread = event.threads?.values.find((one) => one['crashed'] === true && one.stacktrace !== undefined);
  const last = exceptions.at(-1);
  if (thread?.stacktrace === undefined || last === undefined) return exceptions;
  return [...exceptions.slice(0, -1), { ...last, stacktrace: thread.stacktrace }];
}

function threadComponents(event: NormalizedEvent): Found | null {
  const stack = stackParts(inImages(speakingThreadStack(event), event), undefined, event.platform);
  if (stack.kind !== 'used') return null;
  const part = { kind: 'frames', type: null, frames: stack.parts, message: '', codes: [] } as const;
  return { source: 'thread', parts: [part], notes: stack.notes };
}

/** What engines throw under different names for one cause. */
const typeByWording = new Map([
  ['stack overflow', 'RangeError'],
  ['quota exceeded', 'QuotaExceededError'],
  ['aborted', 'AbortError'],
]);

/** The template of a log entry, null where its text stands as it was written. */
function templateOf({ logentry }: NormalizedEvent): string | null {
  const { message, formatted, params } = logentry ?? {};
  const hasParams = Array.isArray(params) ? params.length > 0 : isNonEmpty(params);
  const isFilled = hasParams || (formatted !== undefined && formatted !== message);
  return message !== undefined && isFilled ? message : null;
}

/** What a log entry says; empty where there is none. */
function textOf({ logentry }: NormalizedEvent): string {
  return logentry?.formatted ?? logentry?.message ?? '';
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The stack of the crashed thread, else of the current one, else of the only one. */
function speakingThreadStack(event: NormalizedEvent): Stacktrace | undefined {
  const threads = (event.threads?.values ?? []).filter((thread) => thread.stacktrace !== undefined);
  const thread =
    threads.find((one) => one['crashed'] === true) ??
    threads.find((one) => one['current'] === true) ??
    (threads.length === 1 ? threads[0] : undefined);
  return thread?.stacktrace;
}

/**
 * The name that stands for all names of a type, the type itself where it has one. `module` is where the type
 * is defined, as SDKs send it beside a name without it.
 */
function currentType(type: string, module: string | undefined, platform: string): string {
  if (platform === 'python') {
    const bare = type.replace(/^(?:builtins|exceptions)\./, '');
    return python.get(module === undefined ? bare : `${module}.${bare}`) ?? python.get(bare) ?? bare;
  }
  if (platform === 'ruby') return ruby.get(type) ?? type;
  return type.startsWith('javax.') ? cleanModule(type, platform) : type;
}
