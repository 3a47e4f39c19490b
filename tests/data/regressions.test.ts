// Which event brings a resolved issue back, as a person would say who reads the steps of a row in their
// order. docs/releases.md, "Order". Each row was judged before it was run.
import { describe, expect, it } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { databases, startMs, storeWithProject } from './support/databases.ts';
import {
  atOnce,
  created,
  deleted,
  deployed,
  filedLate,
  merged,
  mergeUndone,
  ran,
  resolvedIn,
  resolvedInNext,
  resolvedNow,
  type Step,
  seen,
  seenElsewhere,
  sendEvent,
  worldOf,
} from './support/release-steps.ts';

type Row = readonly [
  what: string,
  steps: readonly Step[],
  release: string | null,
  expected: 'comes back' | 'stays resolved',
];

const back = 'comes back';
const stays = 'stays resolved';
/** Created, seen, and resolved in the next one. */
const numbered = (resolved: string) => [created(resolved), seen(resolved), resolvedInNext];
/** The same, resolved in that one. */
const resolvedIt = (release: string) => [created(release), seen(release), resolvedIn(release)];
const resolvedInOf = (release: string) => [created('2.0.0'), seen('2.0.0'), resolvedIn(release)];

const now: readonly Row[] = [
  ['no release', [seen('2.0.0'), resolvedNow], null, back],
  ['an older release', [created('1.0.0'), created('2.0.0'), seen('2.0.0'), resolvedNow], '1.0.0', back],
  ['a release without a place', [seen('2.0.0'), resolvedNow], 'other', back],
];

const line = [created('3.0.0'), created('4.0.0'), seen('4.0.0')];
const inRelease: readonly Row[] = [
  ['that release', [...line, resolvedIn('4.0.0')], '4.0.0', back],
  ['an older one', [...line, resolvedIn('4.0.0')], '3.0.0', stays],
  ['no release', [...line, resolvedIn('4.0.0')], null, stays],
  ['a release without a place', [...line, resolvedIn('4.0.0')], 'other', stays],
  ['a hotfix of the older line', [...line, resolvedIn('4.0.0'), created('3.0.1')], '3.0.1', stays],
  ['that hotfix, only seen', [...line, resolvedIn('4.0.0')], '3.0.1', stays],
  ['a hotfix of its own line', [...line, resolvedIn('4.0.0'), created('4.0.1')], '4.0.1', back],
  ['a later release that is not registered', resolvedInOf('2.0.0'), '9.9.9', back],
  ['an older release that is not registered', resolvedInOf('2.0.0'), '1.9.9', stays],
  ['a release that is still to come: one before it', resolvedInOf('3.0.0'), '2.5.0', stays],
  ['a release that is still to come: that one', resolvedInOf('3.0.0'), '3.0.0', back],
  ['a release that is still to come: one after it', resolvedInOf('3.0.0'), '3.0.1', back],
  ['a version that comes with builds', resolvedInOf('2.1.0'), '2.1.0+91', back],
  ['a build that is still to come: one before it', resolvedInOf('2.1.0+92'), '2.1.0+91', stays],
  [
    'a release deleted since: an older number',
    [...line, resolvedIn('4.0.0'), deleted('4.0.0')],
    '3.9',
    stays,
  ],
  ['a release deleted since: a later number', [...line, resolvedIn('4.0.0'), deleted('4.0.0')], '4.1', back],
  [
    'two numbers for three: the same version',
    [created('2.0.0'), seen('2.0.0'), resolvedIn('2.0')],
    '2.1',
    back,
  ],
];

const next: readonly Row[] = [
  ['the same release', [...line, resolvedInNext], '4.0.0', stays],
  ['no release', [...line, resolvedInNext], null, stays],
  ['a release without a place', [...line, resolvedInNext], 'other', stays],
  ['the next release', [...line, resolvedInNext, created('4.0.1')], '4.0.1', back],
  ['the next release, not registered', [...line, resolvedInNext], '4.0.1', back],
  ['a hotfix of the older line', [...line, resolvedInNext, created('3.0.1')], '3.0.1', stays],
  ['an old release filled in later', [...line, resolvedInNext, created('1.0.0')], '1.0.0', stays],
  [
    'an old release filled in later with its date',
    [...line, resolvedInNext, created('1.0.0', { dateReleasedMs: startMs - 1e9 })],
    '1.0.0',
    stays,
  ],
  [
    'an event of a release that was created without events, after a newer one',
    [...line, resolvedInNext, created('4.1.0'), created('4.2.0')],
    '4.1.0',
    back,
  ],
  [
    'the newest that was created, though the issue was not seen there',
    [created('1.0.0'), created('2.0.0'), seen('1.0.0'), resolvedInNext],
    '2.0.0',
    stays,
  ],
  [
    'another issue was seen in 999.0.0',
    [created('2.0.0'), seen('2.0.0'), seenElsewhere('999.0.0'), resolvedInNext],
    '2.0.1',
    back,
  ],
  [
    'this issue was seen in 999.0.0, which nobody created',
    [created('2.0.0'), seen('999.0.0'), seen('2.0.0'), resolvedInNext],
    '2.0.1',
    back,
  ],
  [
    'nothing created: the one that most of its events carry, one after it',
    [seen('1.0.0'), seenElsewhere('999.0.0'), resolvedInNext],
    '1.0.1',
    back,
  ],
  ['nothing created: that one', [seen('1.0.0'), seenElsewhere('999.0.0'), resolvedInNext], '1.0.0', stays],
  [
    'nothing created: a stranger names 999.0.0 once, and hides nothing',
    [seen('1.0.0'), seen('1.0.0'), seen('999.0.0'), resolvedInNext],
    '1.0.1',
    back,
  ],
  [
    'nothing created: as many events in two, the lower counts',
    [seen('2.0.0'), seen('1.0.0'), resolvedInNext],
    '1.5.0',
    back,
  ],
  [
    'nothing created: the one that most of its events carry',
    [seen('1.0.0'), seen('2.0.0'), seen('2.0.0'), resolvedInNext],
    '1.5.0',
    stays,
  ],
  [
    'a stranger names another package last, and hides nothing',
    [created('api@1.0.0'), seen('api@1.0.0'), seen('zzz@999.0.0'), resolvedInNext],
    'api@1.0.1',
    back,
  ],
  [
    'a stranger names another package often, and hides nothing',
    [created('api@1.0.0'), seen('api@1.0.0'), seen('zzz@999.0.0'), seen('zzz@999.0.0'), resolvedInNext],
    'api@1.0.1',
    back,
  ],
  [
    'nothing created: a stranger names another package last, and hides nothing',
    [seen('api@1.0.0'), seen('api@1.0.0'), seen('zzz@999.0.0'), resolvedInNext],
    'api@1.0.1',
    back,
  ],
  ['no releases at all: the first one', [seen(null), resolvedInNext], '1.0.0', back],
  ['no releases at all: the first that is created', [seen(null), resolvedInNext, created('a')], 'a', back],
  [
    'the issue had no release: one that was there before',
    [seenElsewhere('api@1.0.0'), seen(null), resolvedInNext],
    'api@1.0.0',
    stays,
  ],
  [
    'its last event had no place: its last release counts',
    [seen('1.0.0'), seen('other'), resolvedInNext],
    '1.0.1',
    back,
  ],
  [
    'a deploy creates what an event had named before',
    [seen('1.0.0'), seenElsewhere('2.0.0'), deployed('2.0.0'), seen('1.0.0'), resolvedInNext],
    '2.0.0',
    stays,
  ],
  [
    'seen first and created later: still that release',
    [seen('2.0.0'), created('2.0.0'), resolvedInNext],
    '2.0.0',
    stays,
  ],
];

const numbers: readonly Row[] = [
  ['1.10.0 after 1.9.0', numbered('1.9.0'), '1.10.0', back],
  ['two numbers', numbered('1.9'), '1.10', back],
  ['two numbers against three', numbered('1.9.1'), '1.9', stays],
  ['four numbers', numbered('1.2.3.4'), '1.2.3.10', back],
  ['four numbers, an older', numbered('1.2.3.10'), '1.2.3.9', stays],
  ['builds by number', numbered('99'), '100', back],
  ['with a v before it', numbered('v1.9.0'), 'v1.10.0', back],
  ['with a v before it, an older', numbered('v2.0.0'), 'v1.10.0', stays],
  ['a v before one of the two', numbered('v2.0.0'), '1.10.0', stays],
  ['a candidate of what was released', numbered('2.0.0'), '2.0.0-rc.1', stays],
  ['the release after its candidate', numbered('2.0.0-rc.1'), '2.0.0', back],
  ['rc.10 after rc.9', numbered('2.0.0-rc.9'), '2.0.0-rc.10', back],
  ['rc.9 before rc.10', numbered('2.0.0-rc.10'), '2.0.0-rc.9', stays],
  ['numbers before words', numbered('1.0.0-alpha'), '1.0.0-1', stays],
  ['more fields after fewer', numbered('1.0.0-alpha'), '1.0.0-alpha.1', back],
  ['beta after alpha.99', numbered('1.0.0-alpha.99'), '1.0.0-beta', back],
  ['a candidate as Python writes it', numbered('1.0rc2'), '1.0rc10', back],
  ['another build, seen later', numbered('1.0.0+1'), '1.0.0+2', back],
  ['another build, created before', [created('1.0.0+2'), ...resolvedIt('1.0.0+1')], '1.0.0+2', stays],
  ['a build of a later version', numbered('com.shop@2.0.0+90'), 'com.shop@2.0.1+1', back],
];

const calendar: readonly Row[] = [
  ['last year, filled in later', [...numbered('2024.1.0'), created('2023.12.31')], '2023.12.31', stays],
  ['months by number', numbered('2024.9.1'), '2024.10.1', back],
  ['with dashes', numbered('2024-01-9'), '2024-01-15', back],
  ['with dashes, an older', numbered('2024-1-10'), '2024-1-9', stays],
  ['the second of a day', numbered('2024.01.15'), '2024.01.15-2', back],
  ['a candidate of a month', numbered('2024.2.0'), '2024.2.0-rc.1', stays],
  ['a day as one number', [...numbered('20240115'), created('20240114')], '20240114', stays],
  ['five numbers', numbered('2024.01.15.12.30'), '2024.01.15.9.59', stays],
  ['after the numbers of before', [...resolvedIt('4.0.0'), created('2024.1.0')], '2024.1.0', back],
  ['numbers after the calendar of before', [...resolvedIt('2024.1.0'), created('5.0.0')], '5.0.0', back],
  [
    'the calendar was there before the numbers',
    [created('2024.1.0'), ...resolvedIt('5.0.0')],
    '2024.1.0',
    stays,
  ],
  ['1990 is a year, 1989 is not', resolvedIt('1990.1'), '1989.9', back],
  [
    'an old hotfix does not hide the calendar',
    [created('4.0.0'), created('2024.1.0'), ...numbered('3.0.1')],
    '2024.1.0',
    stays,
  ],
];

const hashes: readonly Row[] = [
  ['created before', [created('f00dbee'), ...numbered('c0ffee1')], 'f00dbee', stays],
  ['created after', [...numbered('c0ffee1'), created('f00dbee')], 'f00dbee', back],
  ['seen after, not created', numbered('c0ffee1'), 'f00dbee', back],
  ['that begin with a digit are no numbers', [...numbered('9e107d9'), created('1f3870b')], '1f3870b', back],
  ['of forty digits', numbered(`9${'a'.repeat(39)}`), `1${'b'.repeat(39)}`, back],
  [
    'seen before the other, created after it',
    [seenElsewhere('f00dbee'), ...resolvedIt('c0ffee1'), created('f00dbee')],
    'f00dbee',
    stays,
  ],
  [
    'created before the other, seen after it',
    [created('f00dbee'), seen('c0ffee1'), resolvedIn('c0ffee1')],
    'f00dbee',
    stays,
  ],
  [
    'created at once: the second',
    [created('b'), atOnce, created('a'), seen('b'), resolvedIn('b')],
    'a',
    back,
  ],
  ['created at once: the first', [created('b'), atOnce, ...resolvedIt('a')], 'b', stays],
  ['resolved in one still to come: another', [seen('c0ffee1'), resolvedIn('f00dbee')], 'abad1de', stays],
  ['resolved in one still to come: that one', [seen('c0ffee1'), resolvedIn('f00dbee')], 'f00dbee', back],
  [
    'resolved in one still to come: one after it',
    [seen('c0ffee1'), resolvedIn('f00dbee'), seenElsewhere('f00dbee')],
    'abad1de',
    back,
  ],
  ['after the numbers of before', numbered('2.0.0'), 'c0ffee1', back],
  [
    'the base deleted since: what comes later still comes later',
    [...numbered('c0ffee1'), deleted('c0ffee1')],
    'f00dbee',
    back,
  ],
];

const both = [created('api@1.0.0'), created('web@5.0.0'), seen('api@1.0.0')];
const packages: readonly Row[] = [
  ['the next of another package', [...both, resolvedInNext, created('web@6.0.0')], 'web@6.0.0', stays],
  ['the next of its package', [...both, resolvedInNext, created('api@1.0.1')], 'api@1.0.1', back],
  ['its own, whatever the other does', [...both, resolvedInNext, created('web@6.0.0')], 'api@1.0.0', stays],
  ['in a release of another package', [...both, resolvedIn('api@2.0.0')], 'web@6.0.0', stays],
  ['the package of the last event', [...both, seen('web@5.0.0'), resolvedInNext], 'web@5.1.0', back],
  [
    'its package was never created: the next of the other',
    [created('web@5.0.0'), seen('api@1.0.0'), resolvedInNext],
    'web@6.0.0',
    stays,
  ],
  [
    'its package was never created: its next',
    [created('web@5.0.0'), seen('api@1.0.0'), resolvedInNext],
    'api@1.1.0',
    back,
  ],
  ['no package against one', numbered('1.0.0'), 'api@2.0.0', stays],
  ['one against no package', numbered('api@1.0.0'), '2.0.0', stays],
  ['of a scope', numbered('@shop-x@1.0.0'), '@shop-x@1.0.1', back],
  [
    'a name within another',
    [created('api@1.0.0'), created('my-api@9.0.0'), seen('api@1.0.0'), resolvedInNext],
    'api@1.0.1',
    back,
  ],
  ['a name with the other case', numbered('api@1.0.0'), 'API@2.0.0', stays],
  [
    'a name with a mark of patterns',
    [created('a_i@1.0.0'), created('api@9.0.0'), seen('a_i@1.0.0'), resolvedInNext],
    'a_i@1.0.1',
    back,
  ],
  ['hashes of two', [...numbered('api@c0ffee1'), created('web@f00dbee')], 'web@f00dbee', stays],
];

const sights: readonly Row[] = [
  [
    'an event filed late does not take its release out of the last place',
    [seen('web@5.0.0'), seen('api@1.0.0'), filedLate(5, seen('api@1.0.0')), resolvedInNext],
    'api@1.1.0',
    back,
  ],
  [
    'received before the other was created, filed after',
    [
      created('c0ffee1'),
      seenElsewhere('f00dbee'),
      filedLate(5, seenElsewhere('f00dbee')),
      seen('c0ffee1'),
      resolvedIn('c0ffee1'),
    ],
    'f00dbee',
    stays,
  ],
  [
    'named by a session before the other was created',
    [ran('f00dbee'), ...resolvedIt('c0ffee1')],
    'f00dbee',
    stays,
  ],
];

const group = [seen('1.0.0'), seenElsewhere('2.0.0'), merged];
const merges: readonly Row[] = [
  ['next: the lower of two that the group was seen in', [...group, resolvedInNext], '1.0.0', stays],
  ['next: between the two', [...group, resolvedInNext], '1.5.0', back],
  ['next: that of most of its events', [seenElsewhere('2.0.0'), ...group, resolvedInNext], '1.5.0', stays],
  ['next: after both', [...group, resolvedInNext], '2.0.1', back],
  [
    'next: the package of most events of the group',
    [seen('api@1.0.0'), seenElsewhere('web@5.0.0'), seenElsewhere('web@5.0.0'), merged, resolvedInNext],
    'web@5.1.0',
    back,
  ],
  [
    'undone: who left counts no longer',
    [seenElsewhere('2.0.0'), ...group, mergeUndone, resolvedInNext],
    '1.5.0',
    back,
  ],
  ['undone after the resolution: it stands', [...group, resolvedIn('2.0.0'), mergeUndone], '1.9.0', stays],
  ['undone after the resolution: it stands', [...group, resolvedIn('2.0.0'), mergeUndone], '2.0.0', back],
];

const table = {
  now,
  'in a release': inRelease,
  'in the next release': next,
  numbers,
  calendar,
  hashes,
  packages,
  'first sights': sights,
  merges,
};

describe.each(databases)('an event reopens a resolved issue on $name', (database) => {
  const store = shared(() => storeWithProject(database));

  describe.each(Object.entries(table))('%s', (part, rows) => {
    it.each(rows.map((row, index) => [row[0], index, row] as const))('%s', async (_what, index, row) => {
      const [, steps, release, expected] = row;
      const world = await worldOf(store, `${part} ${index}`);
      for (const step of steps) await step(world);
      expect((await sendEvent(world, release)) ? back : stays).toBe(expected);
    });
  });
});
