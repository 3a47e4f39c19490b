import { describe, expect, it } from '@jest/globals';
import { doors, sameByAnyDoor, storedBy } from '../support/entries.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

const app = sharedApp();

const [store] = doors;
if (store === undefined) throw new Error('there is no endpoint');
const blanks = ' '.repeat(70_000);

describe('an event of PHP', () => {
  it.each(
    rows(() =>
      fullOrSome(
        [
          [
            'false for each strict text',
            '{"exception":[{"type":"A"}],"message":false,"platform":false,"event_id":false}',
          ],
          ['an empty map as message', '{"exception":[{"type":"A"}],"message":[]}'],
          ['no release', '{"message":"m","release":false}'],
          [
            'no level and no time',
            '{"message":"m","level":false,"timestamp":false,"breadcrumbs":[{"message":"b","level":false,"timestamp":false}]}',
          ],
          [
            'empty maps',
            '{"message":"m","user":[],"request":[],"contexts":{"a":[]},"extra":[],"modules":[],"tags":[]}',
          ],
          [
            'lists with gaps',
            '{"exception":{"values":{"2":{"type":"A","stacktrace":{"frames":{"1":{"function":"f"},"4":{"function":"g"}}}}}}}',
          ],
          ['a fingerprint with gaps', '{"message":"m","fingerprint":{"0":"cart","2":"total"}}'],
        ],
        3,
      ),
    ),
  )('with %s is kept without a note, the same on every endpoint', async (_what, event) => {
    const stored = sameByAnyDoor(await storedBy(app, store, event));
    expect(stored).toMatchObject({ errors: [] });
    for (const door of doors) {
      expect(sameByAnyDoor(await storedBy(app, door, event))).toEqual(stored);
      expect(sameByAnyDoor(await storedBy(app, door, event + blanks))).toEqual(stored);
    }
  });

  it('is grouped by its fingerprint, and by its stack with gaps', async () => {
    const post = (event: object) => app.post('/store', { platform: 'php', ...event });
    const gap = await post({ message: 'one', fingerprint: { 0: 'cart', 2: 'total' } });
    const list = await post({ message: 'two', fingerprint: ['cart', 'total'] });
    expect(gap.body.issue_id).toBe(list.body.issue_id);
    const withStack = (frames: object, value: string) =>
      post({ exception: { values: [{ type: 'A', value, stacktrace: { frames } }] } });
    const frame = { function: 'total', filename: '/app/Cart.php', lineno: 3, in_app: true };
    const stacked = await withStack({ 5: frame }, 'x 1');
    expect((await withStack([frame], 'x 2')).body.issue_id).toBe(stacked.body.issue_id);
  });

  it('is refused as before for a strict field of another type', async () => {
    for (const event of [{ message: 5 }, { message: ['a'] }, { message: 'm', platform: [] }]) {
      expect(await app.post('/store', event)).toHaveStatus(400);
    }
  });
});
