// The page that the script is tried on, on a server of its own, with the headers and the assets of the real
// ones; and a control page that breaks the policy once, so that it is known that this would be seen.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { VNode } from 'preact';
import { createAssets } from '../../../src/http/pages/assets.ts';
import { pageHeaders, sendText } from '../../../src/http/pages/send-text.ts';
import { el } from '../../../src/web/el.ts';
import { renderDocument } from '../../../src/web/layout/document.ts';
import type { PageContext } from '../../../src/web/page-context.ts';
import { livePage } from './live-page.ts';
import { partsNowMs, partsPage } from './parts.ts';

export interface ServedParts {
  readonly origin: string;
  /** What `/stream` was asked with last: how far the browser says that it got. */
  readonly asked: { lastEventId: string | undefined };
  /** Sends a message to whoever listens to `/stream`. */
  send(event: string, id: number, data: object): void;
  /** Ends all streams, as a restart does. */
  cut(): void;
  /** Lets `/waiting.json` say that the waiting is over. */
  arrive(): void;
  close(): Promise<void>;
}

/** Serves `/parts`, and `/control` with one style where no style may be. */
export async function serveParts(): Promise<ServedParts> {
  const assets = createAssets('');
  const frame: PageContext = {
    base: '',
    assets: assets.addresses,
    version: '0.0.0',
    timeZone: 'UTC',
    nowMs: partsNowMs,
    currentUser: { name: 'Mara Feld', canAct: true, canManage: true, csrfToken: 'a-token' },
    projects: [
      { id: 1, name: 'shop-web' },
      { id: 2, name: 'checkout-api' },
    ],
    project: null,
    counts: { '/issues': { text: '36', isBad: false }, '/test-runs': { text: '1 failed', isBad: true } },
    path: '/issues/1043',
    query: new URLSearchParams(),
    jsonPath: null,
    hasShortcuts: true,
    notice: null,
  };
  const app = express().use(pageHeaders()).use(assets.serve);
  const html = 'text/html; charset=utf-8';
  app.get('/parts', async (request, response) => {
    await sendText(request, response, {
      status: 200,
      contentType: html,
      text: renderDocument(partsPage(frame), frame),
    });
  });
  app.get('/control', async (request, response) => {
    const text = renderDocument({ title: 'Control', main: faults() }, frame).replace(
      '<body>',
      '<body style="color: red">',
    );
    await sendText(request, response, { status: 200, contentType: html, text });
  });
  const streams = new Set<express.Response>();
  const asked: ServedParts['asked'] = { lastEventId: undefined };
  let isWaiting = true;
  app.get('/live', async (request, response) => {
    await sendText(request, response, {
      status: 200,
      contentType: html,
      text: renderDocument(livePage(), frame),
    });
  });
  app.get('/stream', (request, response) => {
    asked.lastEventId = request.get('Last-Event-ID');
    response.set('Content-Type', 'text/event-stream').flushHeaders();
    response.write('retry: 50\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
  });
  app.get('/waiting', async (request, response) => {
    const main = isWaiting
      ? el('p', { 'data-wait': '/waiting.json', 'data-wait-while': 'waiting' }, 'Waiting')
      : el('p', null, 'It is here');
    const text = renderDocument({ title: 'Waiting', main }, frame);
    await sendText(request, response, { status: 200, contentType: html, text });
  });
  app.get('/waiting.json', (_request, response) => void response.json({ waiting: isWaiting }));
  app.use(async (request, response) => {
    const text = renderDocument({ title: 'Elsewhere', main: 'Elsewhere' }, frame);
    await sendText(request, response, { status: 200, contentType: html, text });
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    send(event, id, data) {
      for (const stream of streams) {
        stream.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
      }
    },
    cut() {
      for (const stream of streams) stream.end();
    },
    arrive() {
      isWaiting = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Wider than any window, and two states that only a colour tells apart. */
function faults(): VNode {
  const bar = (state: string): VNode => el('rect', { class: `f-${state}`, width: 10, height: 9 });
  return el('svg', { class: 'strip', width: 2_000, height: 9 }, bar('up'), bar('down'));
}
