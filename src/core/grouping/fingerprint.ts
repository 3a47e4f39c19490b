// Which issue an event belongs to: `ng2` (docs/grouping.md). Deterministic: no clock, no database; the answer
// explains itself.
// Never in the key: release, environment, user, tags, URL, transaction, server, line numbers.
import { hash } from 'node:crypto';
import type { ExceptionValue, NormalizedEvent } from '../../../schemas/event.ts';
import { cutText } from '../reading/cut-text.ts';
import { isRecord } from '../reading/lenient.ts';
import type { Grouping } from '../store/events.ts';
import { isEnding } from './dying.ts';
import { exceptionStackParts, type StackParts, stackParts } from './frames.ts';
import { withImages } from './images.ts';
import { canonicalValue, tellingOf } from './messages.ts';
import { isMinifiersType, typeInSource } from './minified.ts';
import { isJavaScript } from './ng1/frames.ts';
import { firstLine } from './ng1/messages.ts';
import { cleanFunction } from './ng1/names.ts';
import { engineWording } from './ng1/wordings.ts';

const groupingAlgorithm = 'ng2';
const chainMax = 5;
const partCharsMax = 2048;
/** Parts of a client's fingerprint that the explanation shows; all of them make the hash. */
const partsShownMax = 100;

interface Components {
  readonly source: string;
  readonly parts: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The grouping of an event: `hash` is 64 hex of sha256 over algorithm, source and parts; `source`, `parts`
 * and `notes` say why. The client's own fingerprint wins; `{{ default }}` in it stands for ours.
 * docs/grouping.md, "How a fingerprint comes about".
 */
export function fingerprintOf(event: NormalizedEvent): Grouping {
  const base = inOneSpelling(componentsOf(event));
  const hash = sha256([groupingAlgorithm, base.source, ...base.parts]);
  const own = (event.fingerprint ?? []).map((member) => member.normalize('NFC'));
  if (own.length === 0 || (own.length === 1 && isDefault(own[0]))) {
    return { algorithm: groupingAlgorithm, ...base, hash };
  }
  const shown = own.slice(0, partsShownMax).map((member) => cutText(member, partCharsMax));
  const unshown =
    own.length > shown.length ? [`the first ${shown.length} of ${own.length} parts are shown`] : [];
  if (!own.some(isDefault)) {
    const notes = ["the client's fingerprint replaces ours", ...unshown];
    return {
      algorithm: groupingAlgorithm,
      source: 'fingerprint',
      parts: shown,
      notes,
      hash: sha256(['fp', ...own]),
    };
  }
  return {
    algorithm: groupingAlgorithm,
    source: 'fingerprint+default',
    parts: [...shown, ...base.parts],
    notes: [...base.notes, `{{ default }} stands for ${base.source}`, ...unshown],
    hash: sha256([`fp+${groupingAlgorithm}`, ...own.map((member) => (isDefault(member) ? hash : member))]),
  };
}

/** Unicode spells some letters in two ways; a name is the same in both. */
function inOneSpelling({ parts, ...rest }: Components): Components {
  return { ...rest, parts: parts.map((part) => part.normalize('NFC')) };
}

function isDefault(member: string | undefined): boolean {
  return member !== undefined && member.length <= 64 && /^\{\{\s*default\s*\}\}$/.test(member.trim());
}

/** A client may send hundreds of thousands of parts: more than a call takes as arguments. */
function sha256(texts: readonly string[]): string {
  return hash('sha256', texts.join('\0'));
}

function componentsOf(event: NormalizedEvent): Components {
  const exceptions = (event.exception?.values ?? []).filter(
    (one) => one.type !== undefined || one.value !== undefined || one.stacktrace !== undefined,
  );
  if (exceptions.length > 0) {
    return exceptionComponents(withImages(withThreadStack(exceptions, event), event), event.platform);
  }
  return (
    messageComponents(event) ??
    threadComponents(event) ?? { source: 'empty', parts: [event.platform], notes: [] }
  );
}

/**
 * The chain of causes by where each broke, and by the codes in their messages; by type and message where no
 * stack can be used, by both where the stack is no identity.
 */
function exceptionComponents(exceptions: readonly ExceptionValue[], platform: string): Components {
  const notes = new Set<string>();
  const chain = exceptions.slice(-chainMax);
  if (chain.length < exceptions.length) {
    notes.add(`the last ${chainMax} of ${exceptions.length} exceptions used`);
  }
  let stackUsed = false;
  const parts: string[] = [];
  const stacks = chain.map((exception) => exceptionStackParts(exception, platform));
  const isDecided = stacks.some((stack) => stack.kind === 'used' && stack.decides);
  for (const [at, exception] of chain.entries()) {
    const found = stacks[at] as StackParts;
    noteStack(found, notes);
    // Where own frames decide, those of libraries around them say which version of these runs.
    const stack = isDecided && found.kind === 'used' && !found.areOwn ? nothingSaid : found;
    const part = partOf(exception, stack, platform, notes);
    stackUsed ||= stack.kind === 'used';
    // Each row of a batch that fails in one way is one more of the same.
    if (part !== parts.at(-1)) parts.push(part);
  }
  if (stackUsed) return { source: 'stacktrace', parts, notes: [...notes] };
  return { source: 'exception', parts: saidBy(chain, platform, notes), notes: [...notes] };
}

/** Type and message of each exception of a chain without stacks; those that say the same count once. */
function saidBy(chain: readonly ExceptionValue[], platform: string, notes: Set<string>): string[] {
  const said = new Map<string, readonly string[]>();
  for (const one of chain) {
    const { text, codes } = canonicalValue(one.value ?? '', one.type ?? '', speaksScript(one, platform));
    noteCodes(codes, notes);
    const pair = [typeOf(one, platform) + survivors(exceptionStackParts(one, platform)), text];
    said.set(pair.join('\0'), pair);
  }
  return [...said.values()].flat();
}

const nothingSaid: StackParts = { kind: 'none' };

/** One exception of a chain where a stack can be used: its type, where it broke, and what counts beside. */
function partOf(exception: ExceptionValue, stack: StackParts, platform: string, notes: Set<string>): string {
  const type = typeOf(exception, platform);
  if (stack.kind !== 'used') return type + survivors(stack) + tellings(exception, notes);
  const isSynthetic = exception.mechanism?.['synthetic'] === true;
  const shown = isSynthetic ? '(synthetic)' : isEnding(type, stack.dying > 0) ? '(ended itself)' : type;
  return `${shown} @ ${stack.parts.join(' < ')}${beside(stack, exception, platform, notes)}`;
}

/** What a minifier has left of the names in a stack that was not mapped. */
function survivors(stack: StackParts): string {
  return stack.kind === 'minified' && stack.names.length > 0 ? ` in ${stack.names.join(', ')}` : '';
}

/** What counts beside a stack: the codes of the message, or all of it where the frames are no identity. */
function beside(
  stack: Extract<StackParts, { kind: 'used' }>,
  exception: ExceptionValue,
  platform: string,
  notes: Set<string>,
): string {
  if (stack.decides) return tellings(exception, notes);
  const { text, codes } = canonicalValue(
    exception.value ?? '',
    exception.type ?? '',
    speaksScript(exception, platform),
  );
  noteCodes(codes, notes);
  return text === '' ? '' : ` : ${text}`;
}

function tellings(exception: ExceptionValue, notes: Set<string>): string {
  const codes = [...tellingOf(exception.value), ...errorCodes(exception)];
  noteCodes(codes, notes);
  return codes.length === 0 ? '' : ` [${codes.join(' ')}]`;
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

/** What engines throw under different names for one cause. */
const typeByWording = new Map([
  ['stack overflow', 'RangeError'],
  ['quota exceeded', 'QuotaExceededError'],
  ['aborted', 'AbortError'],
]);

/** The type without generated names; one name for what engines call differently. */
function typeOf(exception: ExceptionValue, platform: string): string {
  const type = exception.type ?? '';
  if (!isJavaScript(platform)) return cleanFunction(type, platform) || type;
  const wasMapped = exception.raw_stacktrace !== undefined;
  if (isMinifiersType(type, wasMapped)) return typeInSource(exception.stacktrace);
  const wording = engineWording(firstLine(exception.value ?? ''));
  return (wording === null ? undefined : typeByWording.get(wording)) ?? type;
}

const scriptErrors =
  /^(?:Type|Reference|Range|Syntax|URI|Internal|Eval|Aggregate)?Error$|^(?:Abort|Network|QuotaExceeded|ChunkLoad|Security)Error$/;

/**
 * Engine wordings are looked for in scripts only, or where the platform was not said and the type is a
 * script's.
 */
function speaksScript(exception: ExceptionValue, platform: string): boolean {
  return isJavaScript(platform) || (platform === 'other' && scriptErrors.test(exception.type ?? ''));
}

function messageComponents(event: NormalizedEvent): Components | null {
  const { message, formatted, params } = event.logentry ?? {};
  const hasParams = Array.isArray(params) ? params.length > 0 : isNonEmpty(params);
  if (message !== undefined && (hasParams || (formatted !== undefined && formatted !== message))) {
    const telling = tellingOf(formatted ?? filled(message, params));
    return { source: 'template', parts: [firstLine(message), ...telling], notes: [] };
  }
  const text = formatted ?? message ?? '';
  if (text.trim() === '') return null;
  const { text: value, codes } = canonicalValue(text, '', isJavaScript(event.platform));
  const notes = new Set<string>();
  noteCodes(codes, notes);
  return { source: 'message', parts: [value], notes: [...notes] };
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

function isNonEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
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

/** The crashed thread, else the current one, else the only one. */
function threadComponents(event: NormalizedEvent): Components | null {
  const threads = (event.threads?.values ?? []).filter((thread) => thread.stacktrace !== undefined);
  const thread =
    threads.find((one) => one['crashed'] === true) ??
    threads.find((one) => one['current'] === true) ??
    (threads.length === 1 ? threads[0] : undefined);
  if (thread === undefined) return null;
  const stack = stackParts(thread.stacktrace, undefined, event.platform);
  if (stack.kind !== 'used') return null;
  return { source: 'thread', parts: [stack.parts.join(' < ')], notes: stack.notes };
}
