// What a thread does that answers requests: the whole program but for what is done once, with its own store,
// on the port that it shares. It is told when to begin and when to end.
import type { MessagePort } from 'node:worker_threads';
import type { UnderWay } from '../core/ports/measures.ts';
import { type Listening, type TakenAddress, takeAddress } from './listen.ts';
import { type OpenedDeps, openSetup } from './open-deps.ts';
import { type Link, openLink, type PostedFault, type Word } from './threads/link.ts';
import { openShared } from './threads/shared.ts';
import type { ThreadData } from './threads/thread-data.ts';
import { threadLog } from './threads/thread-log.ts';

/** Opens all, listens, and does what `parent` says. */
export async function answerRequests(parent: MessagePort, data: ThreadData): Promise<void> {
  const { setup } = data;
  const shared = openShared(data.memory, Date.now);
  let opened: OpenedDeps | null = null;
  let address: TakenAddress | null = null;
  let listening: Listening | null = null;
  async function end(): Promise<void> {
    if (listening === null) address?.leave();
    await listening?.drain();
    await opened?.close();
    tellCounts();
    link.tell({ say: 'ended' });
    parent.close();
  }
  function hear({ say }: Word): void {
    if (say === 'news') opened?.own.news();
    if (say === 'drain') void end().catch(fault);
    if (say !== 'serve' || opened === null || address === null) return;
    void opened.deps.eventMapping.warm();
    listening = address.serve(opened.deps, { shared, metrics: () => metricsBy(link) });
  }
  const link = openLink(parent, {
    hear,
    async answer(what) {
      if (what === 'flush') await opened?.own.flush();
      return what === 'counts' ? tellCounts() : null;
    },
  });
  /** What was counted is told by itself, so that none is lost where nobody waits for the answer any more. */
  function tellCounts(): UnderWay | null {
    const counts = listening?.watched.sight?.counts() ?? null;
    if (counts === null) return null;
    const { counted, ...underWay } = counts;
    link.tell({ say: 'counted', counted });
    return underWay;
  }
  const fault = (thrown: unknown): void => link.tell({ say: 'fault', fault: postedFault(thrown) });
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
  try {
    opened = await openSetup(setup, {
      serves: true,
      log: threadLog(link, setup.config.logLevel),
      thread: {
        shared,
        threads: data.threads,
        news: () => link.tell({ say: 'news' }),
        flush: () => link.ask('flush'),
      },
    });
    address = await takeAddress({ host: data.host, port: data.port, metrics: null }, { shares: 'joins' });
    link.tell({ say: 'listening' });
  } catch (error) {
    fault(error);
  }
}

async function metricsBy(link: Link) {
  const metrics = await link.ask('metrics');
  if (metrics === null) throw new Error('The thread that has the metrics did not answer in time.');
  return metrics;
}

/** A fault, or whatever was thrown, as plain data. */
function postedFault(thrown: unknown): PostedFault {
  const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { message, stack };
}
