import { normalizedEvent, type StackFrame } from '../../../schemas/event.ts';
import type { StoredEvent } from '../store/events.ts';
import { listTags } from './search-text.ts';
import { findMainStacktrace } from './title.ts';

const framesMax = 50;

export interface EventFacts {
  /** In-app files, the most recent call first; all files if no frame is in-app. */
  readonly files: readonly string[];
  readonly url: string;
  readonly tags: ReadonlyArray<readonly [name: string, value: string]>;
}

export function readEventFacts({ payload }: Pick<StoredEvent, 'payload'>): EventFacts {
  const { data: event } = normalizedEvent.safeParse(JSON.parse(payload));
  if (event === undefined) return { files: [], url: '', tags: [] };
  const frames = (findMainStacktrace(event)?.frames ?? []).slice(-framesMax).toReversed();
  const appFrames = frames.filter((frame) => frame.in_app === true);
  const files = (appFrames.length > 0 ? appFrames : frames.filter((frame) => frame.in_app !== false)).map(
    fileOf,
  );
  const tags = [...listTags(event), ['level', event.level] as const];
  return { files: [...new Set(files)].filter((file) => file !== ''), url: event.request?.url ?? '', tags };
}

function fileOf({ filename, abs_path: path }: StackFrame): string {
  return normalizeFile(filename ?? path ?? '');
}

/** Without scheme, host, query and leading dots. */
export function normalizeFile(file: string): string {
  return file
    .replaceAll('\\', '/')
    .replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^(?:\.{0,2}\/)+/, '');
}
