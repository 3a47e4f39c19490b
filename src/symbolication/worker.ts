// Worker thread: inspects uploads and symbolicates stacks. Its only state is a cache.
import { answerTasks } from '../workers/answer-tasks.ts';
import { openContents } from './contents.ts';
import { contextAround } from './context.ts';
import { inspectFile } from './inspect.ts';
import { mapRefusals } from './map-refused.ts';
import { mapStack, type PlacedMap } from './map-stack.ts';
import type { ContextAnswer, MapAnswer, Missing, Task, Wanted } from './tasks.ts';
import { unpackJson } from './unpack-json.ts';

const contents = openContents();

answerTasks(async (task: Task) => ({ answer: await perform(task) }), mapRefusals);

async function perform(task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'inspect':
      return inspectFile(task.path, task.name, task.declaredType);
    case 'unpack':
      return unpackJson(task.path, task.folder, task);
    case 'load':
      return contents.load(task.wanted, task.parts);
    case 'map':
      return mapAll(task);
    case 'context':
      return contextOf(task.wanted, task.line);
    case 'ready':
      return null;
  }
}

function mapAll(task: Extract<Task, { kind: 'map' }>): MapAnswer | Missing {
  const missing: Wanted[] = [];
  const maps = task.scripts.map(({ wanted, address }): PlacedMap | null => {
    const loaded = contents.get(wanted);
    if (loaded === undefined) missing.push(wanted);
    return loaded?.kind === 'map' ? { map: loaded.map, address } : null;
  });
  if (missing.length > 0) return { missing };
  const stacks = task.stacks.map((frames, stack) =>
    mapStack(frames, (_frame, index) => maps[task.scriptOf[stack]?.[index] ?? -1] ?? null),
  );
  return { stacks };
}

function contextOf(wanted: Wanted, line: number): ContextAnswer | Missing {
  const loaded = contents.get(wanted);
  if (loaded === undefined) return { missing: [wanted] };
  return { context: loaded.kind === 'text' ? contextAround(loaded.text, line) : null };
}
