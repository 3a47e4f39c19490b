// To apply source maps to an event (symbolication) before it is grouped; the sent stacks stay in `raw_stacktrace`.
import type { NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { memoize } from '../parsing/memo-cache.ts';
import type { MaybePromise } from '../parsing/per-tick-cache.ts';
import type { Log } from '../ports/log.ts';
import type {
  ReadContent,
  ScriptMap,
  SymbolicatedFrame,
  SymbolicationJob,
  SymbolicationWorkers,
} from '../ports/symbolication-workers.ts';
import type { ArtifactStore } from '../store/artifacts.ts';
import { collectDebugIds, normalizeFileName } from './artifact-names.ts';
import {
  type EventOrigin,
  findSourceFile,
  findSourceMaps,
  type ScriptReference,
} from './find-source-maps.ts';

const mappingBudgetMs = 250;
const scriptsMax = 50;
/** Frames that get source lines from uploaded source files if the map has none. */
const contextFramesMax = 20;

export interface SymbolicationDeps {
  readonly store: ArtifactStore;
  /** Cached per tick; checked before any other query. */
  readonly hasArtifacts?: (projectId: number) => MaybePromise<boolean>;
  readonly workers: SymbolicationWorkers;
  readonly log: Log;
  /** Monotonic. */
  clockMs(): number;
}

export interface SymbolicatedEvent {
  readonly event: NormalizedEvent;
  readonly mappedFrames: number;
  /** True if a map is missing or the time was not enough. */
  readonly needsMapping: boolean;
  /** True if the maps exist and the time was not enough. */
  readonly outOfTime: boolean;
  readonly missing: readonly string[];
}

interface StackSlot {
  readonly stack: Stacktrace;
  readonly owner: { [name: string]: unknown };
}

/** Returns a copy, or the event itself if nothing changed. Never rejects: on an error it is tried later. */
export async function symbolicateEvent(
  deps: SymbolicationDeps,
  projectId: number,
  event: NormalizedEvent,
  budgetMs: number = mappingBudgetMs,
): Promise<SymbolicatedEvent> {
  const { scripts, canWait } = findNeededSourceMaps(event);
  if (scripts.length === 0) return unmapped(event, { needsMapping: false });
  const origin = { projectId, release: event.release ?? null, dist: event.dist ?? null };
  try {
    return await mapWithin(deps, origin, event, scripts, canWait, budgetMs);
  } catch (error) {
    deps.log.error({ projectId, error: String(error) }, 'symbolication failed');
    return unmapped(event, { needsMapping: canWait, outOfTime: canWait });
  }
}

/** Scripts that source maps could apply to; `canWait` if missing maps may still be uploaded. */
export function findNeededSourceMaps(event: NormalizedEvent): {
  readonly scripts: readonly ScriptReference[];
  readonly canWait: boolean;
} {
  const scripts = wantedScripts(event);
  // Without release and debug id no source map can ever match.
  const isKnown = (event.release ?? null) !== null || scripts.some((script) => script.debugId !== null);
  return { scripts, canWait: isKnown && scripts.length > 0 };
}

export function uniqueDebugIds(scripts: readonly ScriptReference[]): string[] {
  return [...new Set(scripts.flatMap((script) => script.debugId ?? []))];
}

const noMaps: ReadonlyMap<string, ScriptMap> = new Map();

async function mapWithin(
  deps: SymbolicationDeps,
  origin: EventOrigin,
  event: NormalizedEvent,
  scripts: readonly ScriptReference[],
  canWait: boolean,
  budgetMs: number,
): Promise<SymbolicatedEvent> {
  const untilMs = deps.clockMs() + budgetMs;
  const hasAny = deps.hasArtifacts?.(origin.projectId) ?? true;
  const maps = (await hasAny) ? await findSourceMaps(deps.store, origin, scripts) : noMaps;
  const scriptsWithoutMap = scripts.filter((script) => !maps.has(script.file));
  const needsMapping = canWait && scriptsWithoutMap.length > 0;
  const missing = uniqueDebugIds(scriptsWithoutMap);
  if (maps.size === 0) return unmapped(event, { needsMapping, missing });
  const copy = structuredClone(event);
  const slots = listStackSlots(copy);
  const job = jobOf(slots, maps);
  const read: ReadContent = (sha256) => deps.store.findContent(origin.projectId, sha256);
  const outcome = await deps.workers.mapStacks(job, read, Math.max(1, untilMs - deps.clockMs()));
  if (!outcome.done) return unmapped(event, { needsMapping: true, outOfTime: true, missing });
  await addContexts(deps, origin, outcome.stacks, read, untilMs);
  let mappedFrames = 0;
  for (const [index, slot] of slots.entries()) {
    const frames = outcome.stacks[index] ?? [];
    const mapped = frames.filter((frame) => frame.mapped).length;
    if (mapped > 0) replaceStack(slot, frames);
    mappedFrames += mapped;
  }
  return { event: mappedFrames > 0 ? copy : event, mappedFrames, needsMapping, outOfTime: false, missing };
}

function unmapped(
  event: NormalizedEvent,
  found: Pick<SymbolicatedEvent, 'needsMapping'> & Partial<SymbolicatedEvent>,
): SymbolicatedEvent {
  return { event, mappedFrames: 0, outOfTime: false, missing: [], ...found };
}

export function restoreSentStacks(event: NormalizedEvent): NormalizedEvent {
  const copy = structuredClone(event);
  for (const { owner, stack } of listStackSlots(copy)) {
    const wasMapped = stack.frames.some((frame) => isMappedByUs(frame));
    const raw = owner['raw_stacktrace'];
    if (wasMapped && isStack(raw)) {
      owner['stacktrace'] = raw;
      delete owner['raw_stacktrace'];
    }
  }
  return copy;
}

function jobOf(slots: readonly StackSlot[], maps: ReadonlyMap<string, ScriptMap>): SymbolicationJob {
  const files = [...maps.keys()];
  return {
    stacks: slots.map((slot) => slot.stack.frames),
    scriptOf: slots.map((slot) => slot.stack.frames.map((frame) => files.indexOf(fileOf(frame) ?? ''))),
    scripts: [...maps.values()],
  };
}

async function addContexts(
  deps: SymbolicationDeps,
  origin: EventOrigin,
  stacks: SymbolicatedFrame[][],
  read: ReadContent,
  untilMs: number,
): Promise<void> {
  let remaining = contextFramesMax;
  for (const stack of stacks) {
    for (const [index, outcome] of [...stack.entries()].toReversed()) {
      const budgetMs = untilMs - deps.clockMs();
      if (outcome.contextFrom === null || remaining === 0 || budgetMs <= 0) continue;
      remaining -= 1;
      const source = await findSourceFile(deps.store, origin, outcome.contextFrom);
      if (source === null) continue;
      const content = { sha256: source.sha256, size: source.size };
      const line = outcome.frame.lineno ?? 0;
      const context = await deps.workers.sourceContext(content, line, read, budgetMs);
      if (context !== null) stack[index] = { ...outcome, frame: { ...outcome.frame, ...context } };
    }
  }
}

function replaceStack(slot: StackSlot, outcomes: readonly SymbolicatedFrame[]): void {
  slot.owner['raw_stacktrace'] ??= slot.stack;
  slot.owner['stacktrace'] = { ...slot.stack, frames: outcomes.map((outcome) => outcome.frame) };
}

function wantedScripts(event: NormalizedEvent): ScriptReference[] {
  const debugIds = collectDebugIds(event);
  const scripts = new Map<string, ScriptReference>();
  for (const { stack } of listStackSlots(event)) {
    for (const frame of stack.frames) {
      const file = fileOf(frame);
      if (file === null || scripts.has(file) || scripts.size === scriptsMax || !hasPosition(frame)) continue;
      const debugId = debugIds.size === 0 ? null : debugIdOf(debugIds, file, frame);
      const isScript = mayHaveSourceMaps(frame.platform ?? event.platform) && isScriptAddress(file);
      if (debugId !== null || isScript) scripts.set(file, { file, debugId });
    }
  }
  return [...scripts.values()];
}

function debugIdOf(debugIds: ReadonlyMap<string, string>, file: string, { filename }: StackFrame) {
  const named = (name: string): string | undefined => debugIds.get(normalizeFileName(name));
  return named(file) ?? named(filename ?? '') ?? null;
}

function fileOf(frame: StackFrame): string | null {
  const file = frame.abs_path ?? frame.filename ?? '';
  return file === '' ? null : file;
}

function hasPosition(frame: StackFrame): boolean {
  return (frame.lineno ?? 0) >= 1;
}

/** Languages that are never compiled to JavaScript. */
const withoutSourceMaps: ReadonlySet<string> = new Set(
  'as3 c cfml cocoa cpp csharp elixir go groovy haskell java native objc perl php python ruby rust swift'.split(
    ' ',
  ),
);

/** True for unknown platforms too. */
export function mayHaveSourceMaps(platform: string): boolean {
  return !withoutSourceMaps.has(platform.toLowerCase());
}

/** False for Node internals, HTML pages and files of other languages. */
const isScriptAddress = memoize(looksLikeScript, { textsMax: 5_000, charactersMax: 256 });

function looksLikeScript(file: string): boolean {
  const path = file.split(/[?#]/, 1)[0] ?? '';
  if (/^(?:node:|internal\/|native$|<)/i.test(path) || path.endsWith('/')) return false;
  if (/^(?:https?:\/\/[^/]+|app:\/\/)\//i.test(path)) return !/\.(?:html?|php|aspx?)$/i.test(path);
  return /\.(?:[mc]?jsx?|bundle|jsbundle)$/i.test(path);
}

function listStackSlots(event: NormalizedEvent): StackSlot[] {
  const slots: StackSlot[] = [];
  const addSlot = (owner: { [name: string]: unknown }): void => {
    const stack = owner['stacktrace'];
    if (isStack(stack)) slots.push({ stack, owner });
  };
  for (const exception of event.exception?.values ?? []) addSlot(exception);
  for (const thread of event.threads?.values ?? []) addSlot(thread);
  addSlot(event);
  return slots;
}

function isStack(value: unknown): value is Stacktrace {
  return typeof value === 'object' && value !== null && 'frames' in value && Array.isArray(value.frames);
}

function isMappedByUs(frame: StackFrame): boolean {
  const data = frame['data'];
  return typeof data === 'object' && data !== null && 'sourcemap' in data;
}
