import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { type IngestContext, ingestEvent } from '../../../src/core/events/ingest.ts';
import { hashUser } from '../../../src/core/events/user-hash.ts';
import type { SymbolicateEvent } from '../../../src/core/ports/symbolication-workers.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { eventId, normalized, receivedAtMs } from '../../support/events.ts';

const project: Project = {
  id: 7,
  name: 'shop',
  createdAtMs: 0,
  groupingVersion: 'ng2',
  scrubFields: ['shoe size'],
  storeIpAddresses: false,
  bugReports: true,
  inboundFilters: null,
};
const context: IngestContext = {
  receivedAtMs,
  clientAddress: '198.51.100.77',
  userAgent: '',
  domain: 'shop.test',
};

async function ingested(raw: unknown, change: Partial<IngestContext> = {}, mapEvent?: SymbolicateEvent) {
  const stored: NewEvent[] = [];
  const recordEvent: Store['recordEvent'] = async (event) => {
    stored.push(event);
    return {
      eventId: event.eventId,
      issueId: 1,
      duplicate: false,
      isNew: true,
      isRegression: false,
    };
  };
  const deps = {
    store: { recordEvent, findTriageSettings: async () => null } as unknown as Store,
    now: () => 0,
    log: silentLog,
    randomBytes: (count: number) => Buffer.alloc(count, 0xff),
    userHashKey: Buffer.alloc(32, 1),
    ...(mapEvent === undefined ? {} : { mapEvent }),
  };
  const answer = await ingestEvent(deps, project, { read: raw }, { ...context, ...change });
  const [event] = stored;
  if (event === undefined) throw new Error('nothing was stored');
  return { answer, event, payload: JSON.parse(String(event.payload)) };
}

describe('the id of an event', () => {
  const dashed = '01234567-89AB-cdef-0123-456789abcdef';

  it.each([
    [
      'the headers of the envelope',
      { envelopeHeaders: { event_id: dashed } },
      { event_id: 'f'.repeat(32) },
      eventId,
    ],
    ['the event itself', {}, { event_id: dashed }, eventId],
    ['nobody', {}, { event_id: 'nonsense' }, 'ffffffffffff4fffbfffffffffffffff'],
  ])('is from %s', async (_who, change, raw, id) => {
    const { answer, event, payload } = await ingested(raw, change);
    expect([answer.recorded.eventId, event.eventId, payload.event_id]).toEqual([id, id, id]);
  });
});

describe('what is stored', () => {
  it('has its columns from the scrubbed event, and no secret in any of them', async () => {
    const { answer, event, payload } = await ingested({
      message: 'login with password=hunter2 failed',
      platform: 'php',
      release: '1.0',
      user: { id: 5, ip_address: '203.0.113.195' },
      extra: { shoe_size: 44 },
      timestamp: 'token: hunter2',
      tags: 'hunter',
    });
    expect(event).toMatchObject({
      projectId: 7,
      title: 'login with password=[Filtered] failed',
      platform: 'php',
      release: '1.0',
      dist: null,
      domain: 'shop.test',
      timestampMs: receivedAtMs,
      needsMapping: false,
    });
    expect(event.scrubbedCount).toBe(4);
    expect(payload.extra).toEqual({ shoe_size: '[Filtered]' });
    expect(payload.errors).toBeUndefined();
    expect(JSON.stringify([event, answer])).not.toMatch(/hunter2|203\.0\.113/);
    expect(event.errors.map((error) => error.name)).toEqual(['timestamp', 'tags']);
    expect(event.userHash).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.grouping).toEqual(event.grouping);
  });

  it('is symbolicated before it is scrubbed and grouped', async () => {
    const mapEvent: SymbolicateEvent = async (_project, event) => {
      const frames = [{ function: 'pay', filename: 'cart.ts', context_line: 'const password = "hunter2";' }];
      return {
        event: { ...event, exception: { values: [{ type: 'E', stacktrace: { frames } }] } },
        needsMapping: true,
      };
    };
    const { event } = await ingested({ exception: { type: 'E' } }, {}, mapEvent);
    expect(event.needsMapping).toBe(true);
    expect(event.grouping.parts[0]).toBe('E @ cart.ts · pay · const password = "[Filtered]";');
    expect(event.payload).not.toContain('hunter2');
  });

  it('has its time corrected by the envelope, and names of attachments scrubbed', async () => {
    const { event } = await ingested(
      { timestamp: (receivedAtMs + 7_200_000) / 1000 },
      {
        envelopeHeaders: { sent_at: new Date(receivedAtMs + 7_200_000).toISOString() },
        attachments: [
          {
            filename: 'token=hunter2.txt',
            contentType: 'text/plain',
            attachmentType: 'event.attachment',
            bytes: Buffer.from('x'),
          },
        ],
      },
    );
    expect(event.timestampMs).toBe(receivedAtMs);
    expect(event.errors.map((error) => error.type)).toEqual(['clock_drift']);
    expect(event.attachments[0]?.filename).toBe('token=[Filtered]');
  });
});

describe('counting users', () => {
  const key = Buffer.alloc(32, 1);
  const hash = (raw: object, address = '198.51.100.77', projectId = 7) =>
    hashUser(normalized(raw), address, key, projectId);

  it('uses the id, else username, else e-mail, else IP address', () => {
    const id = hash({ user: { id: 5, username: 'a', email: 'b@x' } });
    expect(hash({ user: { id: '5', username: 'z' } })).toBe(id);
    expect(hash({ user: { username: 'a', email: 'c' } })).toBe(hash({ user: { username: 'a' } }));
    expect(hash({ user: { email: 'B@x.test' } })).toBe(hash({ user: { email: 'b@x.test' } }));
    expect(hash({ user: { ip_address: '{{auto}}' } })).toBe(hash({ user: { ip_address: '198.51.100.77' } }));
    expect(hash({ platform: 'javascript' })).toBe(hash({ user: { ip_address: '198.51.100.77' } }));
    expect(hash({ request: { env: { REMOTE_ADDR: '203.0.113.1' } } })).toBe(
      hash({ user: { ip_address: '203.0.113.1' } }),
    );
    expect(hash({ platform: 'php' })).toBeNull();
  });

  it('differs by project and key', () => {
    expect(hash({ user: { id: 5 } }, '', 8)).not.toBe(hash({ user: { id: 5 } }));
    expect(hashUser(normalized({ user: { id: 5 } }), '', Buffer.alloc(32, 2), 7)).not.toBe(
      hash({ user: { id: 5 } }),
    );
  });
});
