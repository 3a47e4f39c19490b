// Every transition of an issue's life (docs/issues.md), with releases in order, out of order and unknown.
import { describe, expect, it } from '@jest/globals';
import {
  createFirstState,
  type EventCounts,
  issueUsersMax,
  stateAfterEvent,
  stateAfterRequest,
  substatusFreshMs,
} from '../../../src/core/issues/state-transitions.ts';
import { createReleaseOrder } from '../../../src/core/releases/compare-releases.ts';
import type { IgnoreCondition, IssueState, Resolution } from '../../../src/core/store/issues.ts';

const start = 1_800_000_000_000;
const day = 24 * 3600 * 1000;

// 1.9.9, the hot fix of the older line, came after 2.0.0; the issues below were resolved before all of them.
const order = createReleaseOrder(
  ['1.0.0', '2.0.0', '1.9.9', 'b3f1c2d', '9.0.0'].map((version, index) => ({
    version,
    firstSeenMs: start - 5000 + index * 1000,
    id: index + 1,
  })),
  start - day,
);

function event(facts: Partial<EventCounts> = {}): EventCounts {
  return { receivedAtMs: start, release: null, eventsCount: 11, usersCount: 3, eventsInWindow: 0, ...facts };
}

function resolved(resolution: Resolution): IssueState {
  return { status: 'resolved', substatus: null, resolution, ignore: null, changedAtMs: start - day };
}

function ignored(ignore: IgnoreCondition): IssueState {
  return { status: 'ignored', substatus: null, resolution: null, ignore, changedAtMs: start - day };
}

function open(substatus: 'new' | 'ongoing' | 'regressed', agedMs: number): IssueState {
  return { status: 'unresolved', substatus, resolution: null, ignore: null, changedAtMs: start - agedMs };
}

const now: Resolution = { in: 'now' };
const after = (release: string | null): Resolution => ({ in: 'next_release', after: release });
const inRelease = (release: string): Resolution => ({ in: 'release', release });
const count = (wanted: number, windowMs: number | null, eventsBefore: number): IgnoreCondition => ({
  until: 'count',
  count: wanted,
  windowMs,
  eventsBefore,
});
const users = (wanted: number, usersBefore: number): IgnoreCondition => ({
  until: 'users',
  users: wanted,
  usersBefore,
});

const regressed = 'regressed unresolved/regressed';
const ended = 'ignore_ended unresolved/ongoing';

type Row = readonly [what: string, before: IssueState, facts: Partial<EventCounts>, after: string];

const rows: readonly Row[] = [
  ['new stays new within a week', open('new', substatusFreshMs - 1), {}, 'same'],
  ['new becomes ongoing after a week', open('new', substatusFreshMs), {}, 'ongoing unresolved/ongoing'],
  ['ongoing stays', open('ongoing', 90 * day), {}, 'same'],
  ['regressed stays regressed within a week', open('regressed', substatusFreshMs - 1), {}, 'same'],
  [
    'regressed becomes ongoing after a week',
    open('regressed', substatusFreshMs),
    {},
    'ongoing unresolved/ongoing',
  ],

  ['resolved now, event without release', resolved(now), {}, regressed],
  ['resolved now, unknown release', resolved(now), { release: 'never-seen' }, regressed],
  ['resolved now, oldest release', resolved(now), { release: '1.0.0' }, regressed],

  ['next release, event without release', resolved(after('2.0.0')), {}, 'same'],
  ['next release, unknown release', resolved(after('2.0.0')), { release: 'never-seen' }, 'same'],
  ['next release, the same release', resolved(after('2.0.0')), { release: '2.0.0' }, 'same'],
  ['next release, an older one', resolved(after('2.0.0')), { release: '1.0.0' }, 'same'],
  ['next release, a later one', resolved(after('1.0.0')), { release: '2.0.0' }, regressed],
  ['next release, seen later with a lower number', resolved(after('2.0.0')), { release: '1.9.9' }, 'same'],
  [
    'next release, seen earlier with a higher number',
    resolved(after('1.9.9')),
    { release: '2.0.0' },
    regressed,
  ],
  ['next release, a hash seen later', resolved(after('2.0.0')), { release: 'b3f1c2d' }, regressed],
  [
    'next release, a later number that nobody has seen',
    resolved(after('2.0.0')),
    { release: '2.0.1' },
    regressed,
  ],
  ['next release where there was none, seen since', resolved(after(null)), { release: '1.0.0' }, regressed],
  ['next release where there was none, unknown', resolved(after(null)), { release: 'never-seen' }, 'same'],

  ['in release, event without release', resolved(inRelease('2.0.0')), {}, 'same'],
  ['in release, unknown release', resolved(inRelease('2.0.0')), { release: 'never-seen' }, 'same'],
  ['in release, an older one', resolved(inRelease('2.0.0')), { release: '1.0.0' }, 'same'],
  ['in release, that one', resolved(inRelease('2.0.0')), { release: '2.0.0' }, regressed],
  ['in release, a later one', resolved(inRelease('1.0.0')), { release: '2.0.0' }, regressed],
  ['in release, a hot fix of an older line', resolved(inRelease('2.0.0')), { release: '1.9.9' }, 'same'],
  ['in a release nobody created, that one', resolved(inRelease('3.0.0')), { release: '3.0.0' }, regressed],
  [
    'in a release nobody created, an older number',
    resolved(inRelease('3.0.0')),
    { release: '2.0.0' },
    'same',
  ],
  [
    'in a release nobody created, a later number',
    resolved(inRelease('3.0.0')),
    { release: '9.0.0' },
    regressed,
  ],

  [
    'ignored for ever',
    ignored({ until: 'forever' }),
    { eventsCount: 1e9, usersCount: issueUsersMax },
    'same',
  ],
  ['ignored until a date, before it', ignored({ until: 'date', atMs: start + 1 }), {}, 'same'],
  ['ignored until a date, at it', ignored({ until: 'date', atMs: start }), {}, ended],
  ['ignored for 5 events, the 4th', ignored(count(5, null, 10)), { eventsCount: 14 }, 'same'],
  ['ignored for 5 events, the 5th', ignored(count(5, null, 10)), { eventsCount: 15 }, ended],
  [
    'ignored for 5 events in an hour, many but slow',
    ignored(count(5, 3600_000, 10)),
    { eventsCount: 99, eventsInWindow: 4 },
    'same',
  ],
  [
    'ignored for 5 events in an hour, the 5th',
    ignored(count(5, 3600_000, 10)),
    { eventsCount: 99, eventsInWindow: 5 },
    ended,
  ],
  ['ignored for 2 users, the first', ignored(users(2, 3)), { usersCount: 4 }, 'same'],
  ['ignored for 2 users, the second', ignored(users(2, 3)), { usersCount: 5 }, ended],
  [
    'ignored for users that can no longer be counted',
    ignored(users(5000, 9000)),
    { usersCount: issueUsersMax },
    ended,
  ],
];

describe('an event changes the state of its issue', () => {
  it.each(rows)('%s', (_what, before, facts, expected) => {
    const change = stateAfterEvent(before, event(facts), order);
    const word = change === null ? 'same' : `${change.kind} ${change.state.status}/${change.state.substatus}`;
    expect(word).toBe(expected);
    if (change !== null) {
      expect(change.state).toMatchObject({ resolution: null, ignore: null, changedAtMs: start });
    }
  });

  it('is new on its first event', () => {
    expect(createFirstState(start)).toEqual(open('new', 0));
  });
});

describe('a person changes the state of an issue', () => {
  const facts = { nowMs: start, eventsCount: 11, usersCount: 3, newestRelease: '2.0.0' };

  it.each([
    [{ status: 'unresolved' }, open('ongoing', 0)],
    [{ status: 'resolved', in: 'now' }, resolved(now)],
    [{ status: 'resolved', in: 'next_release' }, resolved(after('2.0.0'))],
    [{ status: 'resolved', in: 'release', release: '3.0.0' }, resolved(inRelease('3.0.0'))],
    [{ status: 'ignored', until: 'forever' }, ignored({ until: 'forever' })],
    [{ status: 'ignored', until: 'date', atMs: start + day }, ignored({ until: 'date', atMs: start + day })],
    [{ status: 'ignored', until: 'count', count: 5, windowMs: null }, ignored(count(5, null, 11))],
    [{ status: 'ignored', until: 'count', count: 5, windowMs: 60_000 }, ignored(count(5, 60_000, 11))],
    [{ status: 'ignored', until: 'users', users: 2 }, ignored(users(2, 3))],
  ] as const)('%j', (change, expected) => {
    expect(stateAfterRequest(change, facts)).toEqual({ ...expected, changedAtMs: start });
  });
});
