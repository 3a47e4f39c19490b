// The parts of a large event that symbolication needs, so that the rest can stay in the worker that read it.
import type { NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { createJsonObject, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';
import { collectDebugIds } from './artifact-names.ts';

/** Innermost frames first. */
const framesMax = 2_000;

const frameFields = ['function', 'filename', 'abs_path', 'lineno', 'colno', 'in_app'] as const;
/** Fields that a mapped frame replaces completely. */
const replacedFields = ['pre_context', 'context_line', 'post_context', 'module'];

/** At most 2,000 frames, with the release and debug ids. */
export function createSymbolicationView(event: NormalizedEvent): NormalizedEvent {
  const budget = { left: framesMax };
  const images = [...collectDebugIds(event)].map(([code_file, debug_id]) => ({
    type: 'sourcemap',
    code_file,
    debug_id,
  }));
  const view = createJsonObject();
  for (const field of ['event_id', 'timestamp', 'level', 'platform', 'release', 'dist']) {
    if (event[field] !== undefined) view[field] = event[field];
  }
  view['debug_meta'] = { images };
  // Starting from the last exception.
  if (event.exception !== undefined) view['exception'] = { values: stacksOf(event.exception.values, budget) };
  if (event.threads !== undefined) view['threads'] = { values: stacksOf(event.threads.values, budget) };
  const [eventView] = stacksOf([event], budget);
  if (eventView?.['stacktrace'] !== undefined) view['stacktrace'] = eventView['stacktrace'];
  return view as NormalizedEvent;
}

/** Puts the symbolicated stacks of a view into the event and keeps the sent ones in `raw_stacktrace`. */
export function mergeSymbolicatedStacks(event: NormalizedEvent, mapped: NormalizedEvent): NormalizedEvent {
  const results = listStackOwners(mapped);
  for (const [index, owner] of listStackOwners(event).entries()) {
    const result = results[index];
    const [stack, shown] = [owner['stacktrace'], result?.['stacktrace']];
    if (result?.['raw_stacktrace'] === undefined || !isStack(stack) || !isStack(shown)) continue;
    owner['raw_stacktrace'] ??= stack;
    const first = stack.frames.length - shown.frames.length;
    const frames = stack.frames.map((frame, frameIndex) =>
      withMapped(frame, shown.frames[frameIndex - first]),
    );
    owner['stacktrace'] = { ...stack, frames };
  }
  return event;
}

type Holder = JsonObject;

/** Owners of stack traces, in the same order for an event and its view. */
function listStackOwners(event: NormalizedEvent): Holder[] {
  return [...(event.exception?.values ?? []), ...(event.threads?.values ?? []), event];
}

function stacksOf(owners: readonly JsonObject[], budget: { left: number }): JsonObject[] {
  const views = owners.map(() => createJsonObject());
  for (const [index, owner] of [...owners.entries()].toReversed()) {
    const stack = owner['stacktrace'];
    const view = views[index];
    if (!isStack(stack) || view === undefined || budget.left === 0) continue;
    const shown = stack.frames.slice(-budget.left);
    budget.left -= shown.length;
    view['stacktrace'] = { frames: shown.map(shownFrame) };
  }
  return views;
}

function shownFrame(frame: StackFrame): StackFrame {
  const shown = createJsonObject();
  for (const field of frameFields) if (frame[field] !== undefined) shown[field] = frame[field];
  return shown;
}

function withMapped(frame: StackFrame, result: StackFrame | undefined): StackFrame {
  const mapped = result?.['data'];
  if (result === undefined || !isJsonObject(mapped)) return frame;
  const before = frame['data'];
  const data = { ...(isJsonObject(before) ? before : {}), ...mapped };
  if (mapped['sourcemap'] === undefined) return { ...frame, data };
  const rest: JsonObject = { ...frame };
  for (const field of replacedFields) delete rest[field];
  return { ...rest, ...result, data };
}

function isStack(value: unknown): value is Stacktrace {
  return isJsonObject(value) && Array.isArray(value['frames']);
}
