// The longest turn of the main thread for the worst bodies that we know, by route; for reading what was kept
// of them, and for maps that come late.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HeavyBody, heavyBodies } from '../support/heavy-bodies.ts';
import { heavyEvents } from '../support/heavy-events.ts';
import { mebibyte } from '../support/wide-json.ts';
import { benignParseMs, type MeasuredServer, startMeasuredServer } from './turns.ts';

export interface TurnRow {
  readonly route: string;
  /** The body that took the most. */
  readonly worst: string;
  readonly kibibytes: number;
  readonly longestTurnMs: number;
  /**
   * Over what JSON.parse takes for a benign body of the same size, at least a megabyte, in the same minute.
   */
  readonly ratio: number;
  readonly bodies: number;
}

/**
 * A turn may take so many times what reading a benign megabyte takes: 20 ms where that takes 2. When all was
 * read in place, the worst of them took more than a hundred times as long.
 */
export const ratioMax = 10;
/** The least of so many tries: what a busy machine adds is not the body's, nor what code costs at first. */
const tries = 7;

/** One thing that is asked for again and again: what it is, and the longest turn of one try. */
interface Work {
  readonly route: string;
  readonly name: string;
  readonly bytes: number;
  longestMs(): Promise<number>;
}

/** Asks everything of a server of its own, and answers the worst of each route. */
export async function heavyTurns(progress: (text: string) => void = () => {}): Promise<TurnRow[]> {
  const server = await startMeasuredServer();
  const worst = new Map<string, TurnRow>();
  try {
    for await (const { route, name, bytes, longestMs } of works(server)) {
      let longestTurnMs = Number.POSITIVE_INFINITY;
      for (let round = 0; round < tries; round += 1) {
        longestTurnMs = Math.min(longestTurnMs, await longestMs());
      }
      progress(`${route} ${name}: ${longestTurnMs.toFixed(1)} ms`);
      const before = worst.get(route);
      const row: TurnRow =
        before !== undefined && before.longestTurnMs >= longestTurnMs
          ? before
          : {
              route,
              worst: name,
              kibibytes: Math.round(bytes / 1024),
              longestTurnMs: Number(longestTurnMs.toFixed(1)),
              ratio: Number((longestTurnMs / benignParseMs(Math.max(bytes, mebibyte))).toFixed(1)),
              bodies: 0,
            };
      worst.set(route, { ...row, bodies: (before?.bodies ?? 0) + 1 });
    }
    return [...worst.values()];
  } finally {
    server.stop();
  }
}

async function* works(server: MeasuredServer): AsyncGenerator<Work> {
  for (const body of heavyBodies()) {
    const bytes = body.body();
    yield {
      route: body.path.replace(/^\/\//, '/'),
      name: body.name,
      bytes: bytes.length,
      longestMs: async () => (await server.send(body, bytes)).longestMs,
    };
  }
  for (const [name, event] of Object.entries(heavyEvents)) {
    const body = posted('/store', name, 'public', event(mebibyte - 400));
    const { event_id: eventId } = JSON.parse((await server.send(body, body.body())).text);
    const { text } = await server.read(`/events/${eventId}`);
    yield {
      route: 'GET /events/{event_id}',
      name,
      bytes: text.length,
      longestMs: async () => (await server.read(`/events/${eventId}`)).longestMs,
    };
  }
  let round = 0;
  yield {
    route: 'a map that comes late',
    name: 'for an event of 5,000 frames',
    bytes: mebibyte,
    longestMs: () => {
      round += 1;
      return lateMap(server, `late@${round}`);
    },
  };
}

/** The longest turn from the upload of the map of an event until that is mapped. */
async function lateMap(server: MeasuredServer, release: string): Promise<number> {
  const event = eventOfScripts(release);
  const { event_id: eventId } = JSON.parse((await server.send(event, event.body())).text);
  const upload = uploadOfMaps(release);
  const turns = [await server.send(upload, upload.body())];
  let isMapped = false;
  while (!isMapped) {
    const turn = await server.read(`/events/${eventId}?_fields=needs_mapping`);
    turns.push(turn);
    isMapped = !JSON.parse(turn.text).needs_mapping;
  }
  return Math.max(...turns.map((turn) => turn.longestMs));
}

function posted(path: string, name: string, credential: 'public' | 'secret', text: string): HeavyBody {
  return { name, path, credential, body: () => Buffer.from(text) };
}

const script = 'app.min.js';

function eventOfScripts(release: string): HeavyBody {
  const frame = `{"abs_path":"https://a.example/${script}","lineno":1,"colno":300,"vars":{"a":[1,2,3,4]}}`;
  const stack = `{"type":"E","stacktrace":{"frames":[${Array(100).fill(frame).join(',')}]}}`;
  const text = `{"release":"${release}","exception":[${Array(50).fill(stack).join(',')}]}`;
  return posted('/store', release, 'public', text);
}

function uploadOfMaps(release: string): HeavyBody {
  const folder = join(import.meta.dirname, '../fixtures/sourcemaps/esbuild');
  const part = (head: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const files = [script, `${script}.map`].map((name) =>
    part(`name="file"; filename="~/${name}"`, readFileSync(join(folder, name), 'utf8')),
  );
  const text = `${part('name="release"', release)}${files.join('')}--b--\r\n`;
  const contentType = 'multipart/form-data; boundary=b';
  return { ...posted('/artifacts', release, 'secret', text), contentType };
}
