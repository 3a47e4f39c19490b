// The service worker that shows notifications (src/web/assets/push-worker.js).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from '@jest/globals';

const source = readFileSync(join(import.meta.dirname, '../../src/web/assets/push-worker.js'), 'utf8');
const scope = 'https://errors.example/team/';

function startWorker(openUrls: readonly string[] = []) {
  const handlers = new Map<string, (event: object) => void>();
  const done: unknown[] = [];
  const self = {
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    location: { origin: 'https://errors.example' },
    registration: { scope, showNotification: async (...given: unknown[]) => done.push(given) },
    clients: {
      matchAll: async () => openUrls.map((url) => ({ url, focus: async () => done.push(`focus ${url}`) })),
      openWindow: async (url: string) => done.push(`open ${url}`),
    },
  };
  runInContext(source, createContext({ self, URL }));
  return async (name: string, event: object) => {
    const work: Array<Promise<unknown>> = [];
    handlers.get(name)?.({ ...event, waitUntil: (given: Promise<unknown>) => work.push(given) });
    await Promise.all(work);
    return structuredClone(done);
  };
}

const click = (url: string | null) => ({ notification: { close: () => {}, data: { url } } });

it('shows a pushed notification, which replaces one about the same', async () => {
  const url = `${scope}issues/3`;
  const pushed = { title: 'New', body: 'No total', tag: 'issue-3', url };
  expect(await startWorker()('push', { data: { json: () => pushed } })).toEqual([
    ['New', { body: 'No total', tag: 'issue-3', data: { url } }],
  ]);
});

it('opens the page that a notification is about, or the window that shows it already', async () => {
  const url = `${scope}issues/3`;
  expect(await startWorker()('notificationclick', click(url))).toEqual([`open ${url}`]);
  expect(await startWorker([scope, url])('notificationclick', click(url))).toEqual([`focus ${url}`]);
});

it.each(['https://evil.example/', 'javascript:alert(1)', null])(
  'opens the start page for %s',
  async (url) => {
    expect(await startWorker()('notificationclick', click(url))).toEqual([`open ${scope}`]);
  },
);
