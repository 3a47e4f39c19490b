import { expect, it } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { createDemoCache } from '../../../src/http/pages/demo-cache.ts';
import { TrackedParams } from '../../../src/http/pages/router.ts';
import { inFull } from '../../support/test-level.ts';

const textBytes = 200_000;

inFull(it)('caches what is requested again, whatever is requested in between', async () => {
  const answers = createDemoCache(() => 1);
  const made = new Map<string, number>();
  const app = express();
  app.use(answers.sendCached);
  app.use((request, response, next) => {
    made.set(request.originalUrl, (made.get(request.originalUrl) ?? 0) + 1);
    const text = request.originalUrl.padEnd(textBytes, 'x');
    answers.send(request, response, { status: 200, contentType: 'text/plain', text }).catch(next);
  });
  const agent = supertest(app);
  await agent.get('/first');
  // Half as much again as is kept.
  for (let nth = 0; nth < 126; nth += 1) {
    await agent.get(`/page?nth=${nth}`);
    if (nth % 20 === 0) expect((await agent.get('/first')).text).toHaveLength(textBytes);
  }
  expect(made.get('/first')).toBe(1);
  await agent.get('/page?nth=125');
  expect(made.get('/page?nth=125')).toBe(1);
  // Whatever was given up is made anew, and no other answer stands in its place.
  expect((await agent.get('/page?nth=0')).text.startsWith('/page?nth=0x')).toBe(true);
  expect(made.get('/page?nth=0')).toBe(2);
});

it('does not cache URLs with unknown parameters', async () => {
  const answers = createDemoCache(() => 1);
  let made = 0;
  const app = express();
  app.use(answers.sendCached);
  app.use((request, response, next) => {
    made += 1;
    const query = new TrackedParams(URL.parse(request.originalUrl, 'http://host')?.searchParams);
    const text = `page ${query.get('page')}`;
    const hasUnknown = query.hasUnknown();
    answers.send(request, response, { status: 200, contentType: 'text/plain', text, hasUnknown }).catch(next);
  });
  const agent = supertest(app);
  for (const path of ['/list?page=2', '/list?page=2', '/list?page=2&&']) {
    expect((await agent.get(path)).headers['cache-control']).toBe('public, max-age=60');
  }
  expect(made).toBe(1);
  for (const path of ['/list?page=2&utm=1', '/list?utm=1', '/list?utm=1']) {
    expect((await agent.get(path)).headers['cache-control']).toBe('no-store');
  }
  expect(made).toBe(4);
});
