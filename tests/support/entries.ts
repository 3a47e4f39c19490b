// All endpoints that accept events, to test that they store the same.
import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { StoredEvent } from '../../src/core/store/events.ts';
import type { TestApp } from './app.ts';

export interface Door {
  readonly name: string;
  send(app: TestApp, event: string): supertest.Test;
}

export const doors: readonly Door[] = [
  { name: '/store', send: (app, event) => post(app, '/store', event) },
  {
    name: '/api/{project}/store/',
    send: (app, event) => post(app, `/api/${app.project.id}/store/`, event),
  },
  { name: 'an item of an envelope', send: (app, event) => post(app, '/envelope', enveloped(event)) },
  {
    name: 'an item without length',
    send: (app, event) => post(app, '/envelope', `{}\n{"type":"event"}\n${event.replaceAll('\n', ' ')}`),
  },
  {
    name: 'an item at /api/{project}/envelope/',
    send: (app, event) => post(app, `/api/${app.project.id}/envelope/`, enveloped(event)),
  },
  { name: 'a document alone', send: (app, event) => post(app, '/envelope', event) },
  { name: 'a list of events', send: (app, event) => post(app, '/envelope', `{"events":[${event}]}`) },
];

/** Sentry-compatible endpoints answer 200, others 201. */
export function createdStatus(path: string): 200 | 201 {
  return path.includes('/api/') ? 200 : 201;
}

/** Sends an event and returns it as stored. */
export async function storedBy(app: TestApp, door: Door, event: string): Promise<StoredEvent> {
  const answer = await door.send(app, event);
  const status = createdStatus(new URL(answer.request.url).pathname);
  expect({ door: door.name, status: answer.status, body: answer.text }).toMatchObject({ status });
  const stored = await app.deps.store.findEvent(app.project.id, answer.body.event_id);
  if (stored === null) throw new Error(`${door.name} answered an event that is not there`);
  return stored;
}

/** What must not depend on the endpoint: payload without id, grouping and errors. */
export function sameByAnyDoor(stored: StoredEvent): object {
  const { event_id: _id, ...payload } = JSON.parse(stored.payload) as Record<string, unknown>;
  return { payload, grouping: stored.grouping, errors: stored.errors };
}

function enveloped(event: string): string {
  return `{}\n{"type":"event","length":${Buffer.byteLength(event)}}\n${event}\n`;
}

function post(app: TestApp, path: string, body: string): supertest.Test {
  return app.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set('X-Notifier-Key', app.publicKey)
    .set('Content-Type', 'application/json')
    .send(body);
}
