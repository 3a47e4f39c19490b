// The page of all parts on a server of its own, with the headers and the assets of the real ones; and a
// control page that breaks the policy once, so that it is known that this would be seen.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pageHeaders, sendText } from '../../../src/http/pages/answer.ts';
import { createAssets } from '../../../src/http/pages/assets.ts';
import type { Frame } from '../../../src/pages/frame.ts';
import { documentOf } from '../../../src/pages/shell/document.ts';
import { partsNowMs, partsPage } from './parts.ts';

export interface ServedParts {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves `/parts`, and `/control` with one style where no style may be. */
export async function serveParts(): Promise<ServedParts> {
  const assets = createAssets('');
  const frame: Frame = {
    base: '',
    assets: assets.addresses,
    version: '0.0.0',
    nowMs: partsNowMs,
    visitor: { name: 'Mara Feld', canAct: true, canManage: true, csrfToken: 'a-token' },
    projects: [
      { id: 1, name: 'shop-web' },
      { id: 2, name: 'checkout-api' },
    ],
    project: null,
    counts: { '/issues': { text: '36', isBad: false }, '/test-runs': { text: '1 failed', isBad: true } },
    path: '/issues/1043',
    query: new URLSearchParams(),
    notice: null,
  };
  const app = express().use(pageHeaders()).use(assets.serve);
  const html = 'text/html; charset=utf-8';
  app.get('/parts', async (request, response) => {
    await sendText(request, response, {
      status: 200,
      contentType: html,
      text: documentOf(partsPage(frame), frame),
    });
  });
  app.get('/control', async (request, response) => {
    const text = documentOf({ title: 'Control', main: 'x' }, frame).replace(
      '<body>',
      '<body style="color: red">',
    );
    await sendText(request, response, { status: 200, contentType: html, text });
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
