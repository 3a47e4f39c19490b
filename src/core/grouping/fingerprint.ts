// Release, environment, user, tags, URL, transaction, server and line numbers are never in a fingerprint.
import type { ExceptionValue, NormalizedEvent, Stacktrace } from '../../../schemas/event.ts';
import { copyText, createMemoCache } from '../parsing/memo-cache.ts';
import { isJsonObject } from '../parsing/unknown-values.ts';
import type { FrameLocation, Grouping } from '../store/events.ts';
import { addImageAddresses } from './debug-images.ts';
import { buildGrouping, codesText, type GroupingPart, partText, textPart } from './fingerprint-parts.ts';
import { isSelfTermination } from './framework-frames.ts';
import { findSourceType } from './minified-names.ts';
import { normalizeFunctionName, normalizeModuleName } from './names/function-names.ts';
import { isGenericType, isJoinedError } from './names/unnamed.ts';
import { firstLine } from './normalize-line.ts';
import {
  canonicalWording,
  distinctiveTexts,
  languageOfMessage,
  parameterizeMessage,
} from './parameterize-message.ts';
import { type SelectedFrames, selectFrames } from './select-frames.ts';
import { isExceptionGroup } from './stacks/exception-tree.ts';
import { isJavaScript } from './stacks/frame.ts';

/** Python 3 merged these types; 3.10, 3.11 and 3.13 renamed others. */
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
  ['BadZipfile', 'BadZipFile'],
  ['zipfile.BadZipfile', 'BadZipFile'],
]);

const ruby = new Map([
  ['Fixnum', 'Integer'],
  ['Bignum', 'Integer'],
  ['TimeoutError', 'Timeout::Error'],
  ['Psych::BadAlias', 'Psych::AliasesNotEnabled'],
]);

/** The name of the grouping config, which is part of every hash. */
export const groupingAlgorithm = 'ng2';

export const chainMax = 5;

/** The most exceptions an event may have. The order of members of a group is random, so all are read. */
export const groupedExceptionsMax = 50;

/** `source`, `parts` and `notes` explain `hash`. A client's fingerprint wins; `{{ default }}` is ours. */
export function computeFingerprint(event: NormalizedEvent): Grouping {
  return groupingBy(event, componentsOf(event));
}

/** The parts of the grouping; null where another version of the rules made `hash`. */
export function explainGrouping(event: NormalizedEvent, hash: string): readonly GroupingPart[] | null {
  const found = componentsOf(event);
  const grouping = groupingBy(event, found);
  if (grouping.hash !== hash) return null;
  if (grouping.source === 'fingerprint') return grouping.parts.map(textPart);
  const clientParts = grouping.parts.slice(0, grouping.parts.length - found.parts.length);
  return [...clientParts.map(textPart), ...found.parts];
}

/** NFC, since Unicode can encode the same name in two ways. */
function groupingBy(event: NormalizedEvent, { parts, ...rest }: Found): Grouping {
  const clientFingerprint = (event.fingerprint ?? []).map((member) => member.normalize('NFC'));
  const texts = parts.map((part) => partText(part).normalize('NFC'));
  const grouping = buildGrouping(groupingAlgorithm, { ...rest, parts: texts }, clientFingerprint);
  const frames = grouping.source === 'fingerprint' ? [] : frameLocationsOf(parts);
  return frames.length === 0 ? grouping : { ...grouping, frames };
}

function frameLocationsOf(parts: readonly GroupingPart[]): FrameLocation[] {
  return parts
    .flatMap((part) => (part.kind === 'frames' ? part.frames : []))
    .map(({ file, function: name }) => ({ file: file.normalize('NFC'), function: name.normalize('NFC') }));
}

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
    const located = withThreadStack(exceptions, event).map((one) => ({
      ...one,
      stacktrace: addImageAddresses(one.stacktrace, event),
    }));
    return exceptionComponents(located, event.platform);
  }
  return (
    messageComponents(event) ??
    threadComponents(event) ?? { source: 'empty', parts: [textPart(event.platform)], notes: [] }
  );
}

/** By frames and message codes, else by type and message, or by both where the frames are not distinctive. */
function exceptionComponents(exceptions: readonly ExceptionValue[], platform: string): Found {
  const notes = new Set<string>();
  const hasGroup = exceptions.some(isExceptionGroup);
  const max = hasGroup ? groupedExceptionsMax : chainMax;
  const chain = exceptions.slice(-max);
  if (chain.length < exceptions.length) notes.add(`the last ${max} of ${exceptions.length} exceptions used`);
  const stacks = chain.map((one) => selectFrames(one.stacktrace, one.raw_stacktrace, platform));
  for (const stack of stacks) noteStack(stack, notes);
  if (!stacks.some((stack) => stack.kind === 'used')) {
    const pairs = inStableOrder(chain, exceptionTexts(chain, stacks, platform, notes), hasGroup);
    const distinct = new Map(pairs.map((pair) => [pair.join('\0'), pair]));
    return { source: 'exception', parts: [...distinct.values()].flat().map(textPart), notes: [...notes] };
  }
  const isDecided = stacks.some((stack) => stack.kind === 'used' && stack.decides);
  const parts = chain.map((exception, at) => {
    const found = stacks[at] as SelectedFrames;
    // Library frames depend on the library's version.
    const stack = isDecided && found.kind === 'used' && !found.areOwn ? emptyFingerprint : found;
    return partOf(exception, stack, { platform, mayBeGroup: chain.length > 1, notes });
  });
  const ordered = inStableOrder(chain, parts, hasGroup);
  // Equal exceptions in a row count once, as for the rows of a failed batch.
  const texts = ordered.map(partText);
  const unequal = ordered.filter((_part, at) => texts[at] !== texts[at - 1]);
  return { source: 'stacktrace', parts: unequal, notes: [...notes] };
}

/** Members of an exception group have a random order: sorts them by text and keeps the first four. */
function inStableOrder<Each extends GroupingPart | readonly string[]>(
  chain: readonly ExceptionValue[],
  components: readonly Each[],
  hasGroup: boolean,
): readonly Each[] {
  const group = hasGroup ? chain.findLastIndex(isExceptionGroup) : -1;
  if (group < 1) return components;
  const textOfOne = (one: Each): string => ('kind' in one ? partText(one) : one.join('\0'));
  const members = new Map(components.slice(0, group).map((one) => [textOfOne(one), one]));
  const sorted = [...members.keys()].sort().slice(0, chainMax - 1);
  return [...sorted.map((key) => members.get(key) as Each), ...components.slice(group)];
}

function exceptionTexts(
  chain: readonly ExceptionValue[],
  stacks: readonly SelectedFrames[],
  platform: string,
  notes: Set<string>,
): readonly (readonly string[])[] {
  return chain.map((one, at) => [
    typeOf(one, platform) + readableNames(stacks[at] as SelectedFrames),
    wordsOf(one, platform, notes),
  ]);
}

function wordsOf(exception: ExceptionValue, platform: string, notes: Set<string>): string {
  const { value = '', type = '' } = exception;
  if (isJoinedError(type, platform)) return listedWords(exception, platform, notes);
  const { text, codes } = parameterizeMessage(value, type, languageOfMessage(exception, platform));
  noteCodes(codes, notes);
  return text;
}

const listedMax = 12;

/** For an error that lists others, one a line: sorted, without duplicates. */
function listedWords({ value = '' }: ExceptionValue, platform: string, notes: Set<string>): string {
  const lines = value
    .split(/[\r\n]+/, listedMax)
    .map((line) => line.replace(/^\s*(?:\* )?|^\d{1,9} errors? occurred:$/g, ''))
    .filter((line) => line.trim() !== '');
  const parameterized = lines.map((line) => parameterizeMessage(line, '', platform));
  noteCodes([...new Set(parameterized.flatMap(({ codes }) => codes))], notes);
  return [...new Set(parameterized.map(({ text }) => text))].sort().join('; ');
}

const emptyFingerprint: SelectedFrames = { kind: 'none' };

function partOf(
  exception: ExceptionValue,
  stack: SelectedFrames,
  { platform, mayBeGroup, notes }: { platform: string; mayBeGroup: boolean; notes: Set<string> },
): GroupingPart {
  const type = typeOf(exception, platform);
  // An error that only lists others has no words of its own; their order is random.
  const isList = mayBeGroup && isExceptionGroup(exception) && isJoinedError(type, platform);
  const isUnnamed = !isList && isGenericType(type, platform);
  if (stack.kind !== 'used') {
    if (isUnnamed) return textPart(`${type}${readableNames(stack)} : ${wordsOf(exception, platform, notes)}`);
    return textPart(type + readableNames(stack) + codesText(messageCodes(exception, notes)));
  }
  const isSynthetic = exception.mechanism?.['synthetic'] === true;
  const isEnded = stack.isNamed && isSelfTermination(type, stack.crashing > 0);
  const framesDecide = stack.decides && !stack.isInClosure && !isUnnamed;
  if (isUnnamed) notes.add('its type names no error: the message counts too');
  return {
    kind: 'frames',
    type: isSynthetic ? '(synthetic)' : isEnded ? '(ended itself)' : type,
    frames: stack.frames,
    // The whole message counts where type and frames are not distinctive, otherwise only its codes.
    message: framesDecide ? '' : wordsOf(exception, platform, notes),
    codes: framesDecide && !isList ? messageCodes(exception, notes) : [],
  };
}

/** Names that survived minification, for a stack without source map. */
function readableNames(stack: SelectedFrames): string {
  return stack.kind === 'minified' && stack.names.length > 0 ? ` in ${stack.names.join(', ')}` : '';
}

function messageCodes(exception: ExceptionValue, notes: Set<string>): readonly string[] {
  const codes = [...distinctiveTexts(exception.value), ...errorCodes(exception)];
  noteCodes(codes, notes);
  return codes;
}

function errorCodes({ mechanism }: ExceptionValue): readonly string[] {
  const meta = mechanism?.['meta'];
  if (!isJsonObject(meta) || !isJsonObject(meta['ns_error'])) return [];
  const { domain, code } = meta['ns_error'];
  return [domain, code].filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
}

function noteStack(stack: SelectedFrames, notes: Set<string>): void {
  if (stack.kind === 'minified') notes.add('minified, no map: stack not used');
  else if (stack.kind === 'used') for (const note of stack.notes) notes.add(note);
}

function noteCodes(codes: readonly string[], notes: Set<string>): void {
  if (codes.length > 0) notes.add(`used from the message: ${codes.join(', ')}`);
}

/** Without generated names. One name for types that engines name differently. */
function typeOf(exception: ExceptionValue, platform: string): string {
  const type = exception.type ?? '';
  if (!isJavaScript(platform)) {
    return currentType(cleanType(type, platform), exception.module, platform);
  }
  const spoken = findSourceType(exception, platform);
  if (spoken !== null) return spoken;
  const wording = canonicalWording(exception.value ?? '');
  return (wording === null ? undefined : typeByWording.get(wording)) ?? type;
}

function cleanType(type: string, platform: string): string {
  const text = `${platform.length} ${platform}${type}`;
  return (
    types.find(text) ?? types.set(text, normalizeFunctionName(copyText(type), platform) || copyText(type))
  );
}

const types = createMemoCache<string>({ textsMax: 2048, charactersMax: 300 });

function messageComponents(event: NormalizedEvent): Found | null {
  const notes = new Set<string>();
  const template = templateOf(event);
  if (template !== null) {
    const distinctive = distinctiveTexts(
      event.logentry?.formatted ?? filled(template, event.logentry?.params),
    );
    noteCodes(distinctive, notes);
    return {
      source: 'template',
      parts: [firstLine(template), ...distinctive].map(textPart),
      notes: [...notes],
    };
  }
  const text = textOf(event);
  if (text.trim() === '') return null;
  const { text: value, codes } = parameterizeMessage(text, '', event.platform);
  noteCodes(codes, notes);
  return { source: 'message', parts: [textPart(value)], notes: [...notes] };
}

/** Parameters may hold a code or an address that was requested. */
function filled(template: string, params: unknown): string {
  const values = Array.isArray(params) ? params : isJsonObject(params) ? Object.values(params) : [];
  const texts = values
    .slice(0, 16)
    .map((one) => (typeof one === 'string' || typeof one === 'number' ? `${one}` : ''));
  let at = 0;
  return firstLine(template).replace(
    /%(?:\(\w{1,64}\))?[sdifrxoOj]|\{[\w.]{0,64}\}|\$\d/g,
    () => texts[at++] ?? '',
  );
}

/** Native SDKs send the stack of a crash with its thread. */
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
  const stack = selectFrames(addImageAddresses(crashedThreadStack(event), event), undefined, event.platform);
  if (stack.kind !== 'used') return null;
  const part = { kind: 'frames', type: null, frames: stack.frames, message: '', codes: [] } as const;
  return { source: 'thread', parts: [part], notes: stack.notes };
}

/** Types that engines name differently for the same cause. */
const typeByWording = new Map([
  ['stack overflow', 'RangeError'],
  ['quota exceeded', 'QuotaExceededError'],
  ['aborted', 'AbortError'],
]);

function templateOf({ logentry }: NormalizedEvent): string | null {
  const { message, formatted, params } = logentry ?? {};
  const hasParams = Array.isArray(params) ? params.length > 0 : isNonEmpty(params);
  const isFilled = hasParams || (formatted !== undefined && formatted !== message);
  return message !== undefined && isFilled ? message : null;
}

function textOf({ logentry }: NormalizedEvent): string {
  return logentry?.formatted ?? logentry?.message ?? '';
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The crashed thread, else the current one, else the only one. */
function crashedThreadStack(event: NormalizedEvent): Stacktrace | undefined {
  const threads = (event.threads?.values ?? []).filter((thread) => thread.stacktrace !== undefined);
  const thread =
    threads.find((one) => one['crashed'] === true) ??
    threads.find((one) => one['current'] === true) ??
    (threads.length === 1 ? threads[0] : undefined);
  return thread?.stacktrace;
}

/** Some SDKs send the defining module with the unqualified name. */
function currentType(type: string, module: string | undefined, platform: string): string {
  if (platform === 'python') {
    const shortType = type.replace(/^(?:builtins|exceptions)\./, '');
    return (
      python.get(module === undefined ? shortType : `${module}.${shortType}`) ??
      python.get(shortType) ??
      shortType
    );
  }
  if (platform === 'ruby') return ruby.get(type) ?? type;
  return type.startsWith('javax.') ? normalizeModuleName(type, platform) : type;
}
