// Worker thread: inspects uploads and symbolicates stacks. Its only state is a cache.
import { handleTasks } from '../workers/handle-tasks.ts';
import { createContentCache } from './content-cache.ts';
import { inspectArtifact } from './inspect-artifact.ts';
import { readSourceContext } from './source-context.ts';
import { sourceMapErrorCodec } from './source-map-error.ts';
import { type LocatedSourceMap, symbolicateStack } from './symbolicate-stack.ts';
import { unpackJson } from './unpack-json.ts';
import type { ContextAnswer, MapAnswer, MissingContents, Task, WantedContent } from './worker-messages.ts';

const contents = createContentCache();

handleTasks(async (task: Task) => ({ answer: await perform(task) }), sourceMapErrorCodec);

async function perform(task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'inspect':
      return inspectArtifact(task.path, task.name, task.declaredType);
    case 'unpack':
      return unpackJson(task.path, task.folder, task);
    case 'load':
      return contents.load(task.content, task.parts);
    case 'map':
      return mapAll(task);
    case 'context':
      return contextOf(task.content, task.line);
    case 'ready':
      return null;
  }
}

function mapAll(task: Extract<Task, { kind: 'map' }>): MapAnswer | MissingContents {
  const missing: WantedContent[] = [];
  const maps = task.scripts.map(({ content, address }): LocatedSourceMap | null => {
    const loaded = contents.get(content);
    if (loaded === undefined) missing.push(content);
    return loaded?.kind === 'map' ? { map: loaded.map, address } : null;
  });
  if (missing.length > 0) return { missing };
  const stacks = task.stacks.map((frames, stack) =>
    symbolicateStack(frames, (_frame, index) => maps[task.scriptOf[stack]?.[index] ?? -1] ?? null),
  );
  return { stacks };
}

function contextOf(content: WantedContent, line: number): ContextAnswer | MissingContents {
  const loaded = contents.get(content);
  if (loaded === undefined) return { missing: [content] };
  return { context: loaded.kind === 'text' ? readSourceContext(loaded.text, line) : null };
}
