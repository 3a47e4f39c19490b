import { describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { lazyLayer, type StoppableLayer } from '../../src/app/layers/lazy-layer.ts';

function appOf({ layer }: StoppableLayer) {
  const app = express();
  app.use(layer);
  app.use((error: Error, _request: express.Request, response: express.Response, _next: unknown) => {
    response.status(500).send(error.message);
  });
  return app;
}

function made(stopped: string[] = []): StoppableLayer {
  return {
    layer: (_request, response) => void response.send('here'),
    stop: () => void stopped.push('stopped'),
  };
}

describe('a module that is loaded on first use', () => {
  it('is loaded once, by the first request', async () => {
    let loads = 0;
    const late = lazyLayer(async () => {
      loads += 1;
      return made();
    });
    const app = appOf(late);
    expect(loads).toBe(0);
    const answers = await Promise.all([request(app).get('/'), request(app).get('/')]);
    expect([answers[0].text, answers[1].text, loads]).toEqual(['here', 'here', 1]);
    expect([(await request(app).get('/')).text, loads]).toEqual(['here', 1]);
  });

  it('rejects the request if it cannot be loaded, and is tried again', async () => {
    let loads = 0;
    const late = lazyLayer(async () => {
      loads += 1;
      if (loads < 2) throw new Error('not now');
      return made();
    });
    const app = appOf(late);
    expect(await request(app).get('/')).toMatchObject({ status: 500, text: 'not now' });
    expect(await request(app).get('/')).toMatchObject({ status: 200, text: 'here' });
  });

  it('ends its streams on stop, also if it is loaded later', async () => {
    const stopped: string[] = [];
    const early = lazyLayer(async () => made(stopped));
    early.stop();
    expect(stopped).toEqual([]);
    await request(appOf(early)).get('/');
    expect(stopped).toEqual(['stopped']);
    const loaded = lazyLayer(async () => made(stopped));
    await request(appOf(loaded)).get('/');
    loaded.stop();
    expect(stopped).toHaveLength(2);
  });
});
