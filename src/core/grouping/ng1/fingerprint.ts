// Which issue an event belongs to: `ng1` (docs/grouping.md). Deterministic: no clock, no database; the answer
// explains itself.
// Never in the key: release, environment, user, tags, URL, transaction, server, line numbers.
import { hash } from 'node:crypto';
import type { ExceptionValue, NormalizedEvent, Stacktrace } from '../../../../schemas/event.ts';
import { cutText } from '../../reading/cut-text.ts';
import type { Grouping } from '../../store/events.ts';
import { exceptionStackParts, isJavaScript, type StackParts, stackParts } from './frames.ts';
import { canonicalValue, firstLine } from './messages.ts';
import { cleanFunction } from './names.ts';
import { engineWording } from './wordings.ts';

const groupingAlgorithm = 'ng1';
const chainMax = 5;
const partCharsMax = 2048;
/** Parts of a client's fingerprint that the explanation shows; all of them make the hash. */
const partsShownMax = 100;

export interface Components {
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
  return groupingOf(groupingAlgorithm, componentsOf(event), event.fingerprint ?? []);
}

/** The grouping that a rule of that name makes of its components and of the client's own fingerprint. */
export function groupingOf(algorithm: string, base: Components, own: readonly string[]): Grouping {
  const hash = hashOfParts({ algorithm, ...base });
  if (own.length === 0 || (own.length === 1 && isDefault(own[0]))) {
    return { algorithm, ...base, hash };
  }
  const shown = own.slice(0, partsShownMax).map((member) => cutText(member, partCharsMax));
  const unshown =
    own.length > shown.length ? [`the first ${shown.length} of ${own.length} parts are shown`] : [];
  if (!own.some(isDefault)) {
    const notes = ["the client's fingerprint replaces ours", ...unshown];
    return { algorithm, source: 'fingerprint', parts: shown, notes, hash: sha256(['fp', ...own]) };
  }
  return {
    algorithm,
    source: 'fingerprint+default',
    parts: [...shown, ...base.parts],
    notes: [...base.notes, `{{ default }} stands for ${base.source}`, ...unshown],
    hash: sha256([`fp+${algorithm}`, ...own.map((member) => (isDefault(member) ? hash : member))]),
  };
}

/** The hash of a grouping without a fingerprint of the client's. */
export function hashOfParts({ algorithm, source, parts }: Omit<Grouping, 'hash' | 'notes'>): string {
  return sha256([algorithm, source, ...parts]);
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
  if (exceptions.length > 0) return exceptionComponents(exceptions, event.platform);
  return (
    messageComponents(event) ??
    threadComponents(event) ?? { source: 'empty', parts: [event.platform], notes: [] }
  );
}

/** The chain of causes by where each broke; by type and message where no stack can be used. */
function exceptionComponents(exceptions: readonly ExceptionValue[], platform: string): Components {
  const notes: string[] = [];
  const chain = exceptions.slice(-chainMax);
  if (chain.length < exceptions.length) {
    notes.push(`the last ${chainMax} of ${exceptions.length} exceptions used`);
  }
  let stackUsed = false;
  const parts = chain.map((exception) => {
    const stack = exceptionStackParts(exception, platform);
    noteStack(stack, notes);
    if (stack.kind !== 'used') return typeOf(exception, platform);
    stackUsed = true;
    const type = exception.mechanism?.['synthetic'] === true ? '(synthetic)' : typeOf(exception, platform);
    return `${type} @ ${stack.parts.join(' < ')}`;
  });
  if (stackUsed) return { source: 'stacktrace', parts, notes };
  const last = exceptions.at(-1) as ExceptionValue;
  const value = canonicalValue(last.value ?? '', last.type ?? '', speaksScript(last, platform));
  return { source: 'exception', parts: [typeOf(last, platform), value], notes };
}

function noteStack(stack: StackParts, notes: string[]): void {
  if (stack.kind === 'minified') {
    notes.push('minified, no map: stack not used');
  } else if (stack.kind === 'used' && stack.note !== null && !notes.includes(stack.note)) {
    notes.push(stack.note);
  }
}

/** What engines throw under different names for one cause. */
export const typeByWording = new Map([
  ['stack overflow', 'RangeError'],
  ['quota exceeded', 'QuotaExceededError'],
  ['aborted', 'AbortError'],
]);

/** The type without generated names; one name for what engines call differently. */
function typeOf(exception: ExceptionValue, platform: string): string {
  const type = exception.type ?? '';
  if (!isJavaScript(platform)) return cleanFunction(type, platform) || type;
  const wording = engineWording(firstLine(exception.value ?? ''));
  return (wording === null ? undefined : typeByWording.get(wording)) ?? type;
}

const scriptErrors =
  /^(?:Type|Reference|Range|Syntax|URI|Internal|Eval|Aggregate)?Error$|^(?:Abort|Network|QuotaExceeded|ChunkLoad|Security)Error$/;

/**
 * Engine wordings are looked for in scripts only, or where the platform was not said and the type is a
 * script's.
 */
export function speaksScript(exception: ExceptionValue, platform: string): boolean {
  return isJavaScript(platform) || (platform === 'other' && scriptErrors.test(exception.type ?? ''));
}

function messageComponents(event: NormalizedEvent): Components | null {
  const template = templateOf(event);
  if (template !== null) return { source: 'template', parts: [firstLine(template)], notes: [] };
  const text = textOf(event);
  if (text.trim() === '') return null;
  return { source: 'message', parts: [canonicalValue(text, '', isJavaScript(event.platform))], notes: [] };
}

/** The template of a log entry, null where its text stands as it was written. */
export function templateOf({ logentry }: NormalizedEvent): string | null {
  const { message, formatted, params } = logentry ?? {};
  const hasParams = Array.isArray(params) ? params.length > 0 : isNonEmpty(params);
  const isFilled = hasParams || (formatted !== undefined && formatted !== message);
  return message !== undefined && isFilled ? message : null;
}

/** What a log entry says; empty where there is none. */
export function textOf({ logentry }: NormalizedEvent): string {
  return logentry?.formatted ?? logentry?.message ?? '';
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function threadComponents(event: NormalizedEvent): Components | null {
  const stack = stackParts(speakingThreadStack(event), undefined, event.platform);
  const notes: string[] = [];
  noteStack(stack, notes);
  if (stack.kind !== 'used') return null;
  return { source: 'thread', parts: [stack.parts.join(' < ')], notes };
}

/** The stack of the crashed thread, else of the current one, else of the only one. */
export function speakingThreadStack(event: NormalizedEvent): Stacktrace | undefined {
  const threads = (event.threads?.values ?? []).filter((thread) => thread.stacktrace !== undefined);
  const thread =
    threads.find((one) => one['crashed'] === true) ??
    threads.find((one) => one['current'] === true) ??
    (threads.length === 1 ? threads[0] : undefined);
  return thread?.stacktrace;
}
