// /live: the newest events, and those that come. Their stream is src/http/pages/live-stream.ts.
import { liveModel } from '../../src/core/workspace/live.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { livePage } from '../../src/pages/live/live.ts';

/** The live tail. */
export function livePages(): Declaration[] {
  return [page({ path: '/live', model: liveModel, view: livePage })];
}
