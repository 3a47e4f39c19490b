// The longest turn of the main thread for the worst bodies that we know, by route.
import { heavyBodies } from '../support/heavy-bodies.ts';
import { benignParseMs, startMeasuredServer } from '../support/turns.ts';

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

/** Wanted of every body, without the parsing that is no longer here. */
export const longestTurnMsMax = 20;
/** The least of so many tries: what a busy machine adds is not the body's, nor what code costs at first. */
const tries = 7;
const mebibyte = 1_048_576;

/** Sends every body to a server of its own, and answers the worst of each route. */
export async function heavyTurns(progress: (text: string) => void = () => {}): Promise<TurnRow[]> {
  const server = await startMeasuredServer();
  const worst = new Map<string, TurnRow>();
  try {
    for (const body of heavyBodies()) {
      const bytes = body.body();
      const turns: number[] = [];
      for (let round = 0; round < tries; round += 1) turns.push((await server.send(body, bytes)).longestMs);
      const longestTurnMs = Number(Math.min(...turns).toFixed(1));
      const before = worst.get(body.path);
      const bodies = (before?.bodies ?? 0) + 1;
      progress(`${body.path} ${body.name}: ${longestTurnMs} ms`);
      if (before !== undefined && before.longestTurnMs >= longestTurnMs) {
        worst.set(body.path, { ...before, bodies });
        continue;
      }
      worst.set(body.path, {
        route: body.path.replace(/^\/\//, '/'),
        worst: body.name,
        kibibytes: Math.round(bytes.length / 1024),
        longestTurnMs,
        ratio: Number((longestTurnMs / benignParseMs(Math.max(bytes.length, mebibyte))).toFixed(1)),
        bodies,
      });
    }
    return [...worst.values()];
  } finally {
    server.stop();
  }
}
