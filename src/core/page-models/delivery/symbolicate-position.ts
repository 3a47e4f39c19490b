import type { StackFrame } from '../../../../schemas/event.ts';
import type { ReadContent, ScriptMap } from '../../ports/symbolication-workers.ts';
import { findSourceFile } from '../../source-maps/find-source-maps.ts';
import type { Artifact } from '../../store/artifacts.ts';
import type { RequestContext } from '../request-context.ts';
import { artifactUrl, findSourceMap } from './release-files.ts';

export interface SymbolicatedPosition {
  readonly line: number;
  readonly column: number;
  // `no_map`: no source map. `busy`: no worker was free. `not_found`: the map does not cover the position.
  readonly outcome: 'mapped' | 'not_found' | 'no_map' | 'busy';
  readonly source: ReturnType<typeof sourceOf> | null;
}

/** Longer than for events, because a person waits for it. */
const budgetMs = 2_000;
const numberMax = 100_000_000;
const lineCharactersMax = 500;

/** Null if the query has no position, or the artifact is a source. */
export async function symbolicatePosition(
  { deps, query }: RequestContext,
  artifact: Artifact,
): Promise<SymbolicatedPosition | null> {
  const line = numberOf(query.get('line'));
  const column = numberOf(query.get('column'));
  if (line === null || column === null || artifact.type === 'source') return null;
  const map = artifact.type === 'source_map' ? ownMap(artifact) : await findSourceMap(deps.store, artifact);
  if (map === null) return { line, column, outcome: 'no_map', source: null };
  const { workers } = deps.eventMapping;
  const read: ReadContent = (sha256) => deps.store.findContent(artifact.projectId, sha256);
  const frame: StackFrame = { filename: map.address, lineno: line, colno: column };
  const job = { stacks: [[frame]], scriptOf: [[0]], scripts: [map] };
  const outcome = await workers.mapStacks(job, read, budgetMs);
  if (!outcome.done) return { line, column, outcome: 'busy', source: null };
  const found = outcome.stacks[0]?.[0];
  if (found === undefined || !found.mapped) return { line, column, outcome: 'not_found', source: null };
  const context = await findSourceLines(deps, artifact, found, read);
  return { line, column, outcome: 'mapped', source: sourceOf({ ...found.frame, ...context }) };
}

function ownMap(artifact: Artifact): ScriptMap {
  const content = { sha256: artifact.sha256, size: artifact.size };
  return { content, isInline: false, address: artifactUrl(artifact) };
}

async function findSourceLines(
  { store, eventMapping }: RequestContext['deps'],
  { projectId, release, dist }: Artifact,
  { contextFrom, frame }: { readonly contextFrom: string | null; readonly frame: StackFrame },
  read: ReadContent,
): Promise<Partial<StackFrame> | null> {
  if (contextFrom === null) return null;
  const source = await findSourceFile(store, { projectId, release, dist }, contextFrom);
  if (source === null) return null;
  const content = { sha256: source.sha256, size: source.size };
  const line = frame.lineno ?? 0;
  const context = await eventMapping.workers.sourceContext(content, line, read, budgetMs);
  return context === null ? null : { ...context };
}

function sourceOf(frame: StackFrame) {
  const at = frame.lineno ?? null;
  const before = frame.pre_context ?? [];
  const hit = frame.context_line ?? null;
  const texts = [...before, ...(hit === null ? [] : [hit]), ...(frame.post_context ?? [])];
  const first = (at ?? 1) - before.length;
  return {
    file: frame.filename ?? null,
    line: at,
    column: frame.colno ?? null,
    function: frame.function ?? null,
    lines: texts.map((text, index) => ({
      number: first + index,
      text: String(text).slice(0, lineCharactersMax),
    })),
  };
}

function numberOf(text: string | null): number | null {
  const value = Number(text);
  return text !== null && /^\d{1,9}$/.test(text.trim()) && value <= numberMax ? value : null;
}
