import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tagsAndSearchTextOf } from '../../../src/core/events/search-text.ts';
import { buildCulprit, buildTitle } from '../../../src/core/events/title.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { computeSecondaryHash } from '../../../src/core/grouping/group-event.ts';
import {
  buildExceptionTree,
  findMainException,
  formatRelation,
} from '../../../src/core/grouping/stacks/exception-tree.ts';
import { normalized } from '../../support/events.ts';
import { nested, pythonGroup, stackOf } from '../../support/exception-groups.ts';
import { runs } from '../../support/test-level.ts';

type Sent = Readonly<Record<string, unknown>>;

const eventOf = (values: readonly Sent[], platform = 'python') =>
  normalized({ platform, exception: { values } });
const titled = (values: readonly Sent[]) => buildTitle(eventOf(values));
const placed = (values: readonly Sent[]) => buildCulprit(eventOf(values), null);
const drawn = (values: readonly Sent[]) =>
  buildExceptionTree(values).map(
    (place) => `${'  '.repeat(place.depth)}${formatRelation(place)}${String(values[place.index]?.['type'])}`,
  );
const of = (type: string, id?: number, parent?: number, mechanism: object = {}) => ({
  type,
  value: `${type} failed`,
  mechanism: {
    type: 'chained',
    ...(id === undefined ? {} : { exception_id: id }),
    ...(parent === undefined ? {} : { parent_id: parent }),
    ...mechanism,
  },
});
const group = { is_exception_group: true };

describe('the title and the culprit of an exception group', () => {
  it('come from the only member', () => {
    const values = pythonGroup(['load_cart']);
    expect([titled(values), placed(values)]).toEqual([
      'LookupError: no load_cart',
      'load_cart (shop.load_cart)',
    ]);
  });

  it('come from the first of several, with their number in the title', () => {
    const values = pythonGroup(['load_cart', 'load_user', 'load_tax', 'load_stock']);
    expect(titled(values)).toBe('LookupError: no load_cart (ExceptionGroup, and 3 more)');
    expect(placed(values)).toBe('load_cart (shop.load_cart)');
    expect(tagsAndSearchTextOf(eventOf(values)).text).toMatch(
      /\u0003load_cart\u0003[\s\S]*\u0004shop\/load_cart\.py\u0004/,
    );
  });

  it('come from the first leaf of nested groups', () => {
    expect(titled(nested)).toBe('KeyError: price (ExceptionGroup, and 2 more)');
    expect(placed(nested)).toBe('price (shop.price)');
  });

  it.each([
    [
      'JavaScript',
      [
        of('RangeError', 2, 0, { source: 'errors[1]' }),
        of('TypeError', 1, 0, { source: 'errors[0]' }),
        of('AggregateError', 0, undefined, { type: 'generic', ...group }),
      ],
      'TypeError: TypeError failed (AggregateError, and 1 more)',
    ],
    [
      '.NET',
      [
        of('System.TimeoutException', 2, 0, { source: 'InnerExceptions[1]' }),
        of('System.IO.IOException', 1, 0, { source: 'InnerExceptions[0]' }),
        of('System.AggregateException', 0, undefined, group),
      ],
      'System.IO.IOException: System.IO.IOException failed (System.AggregateException, and 1 more)',
    ],
    [
      'a client that names types alone',
      [{ type: 'B', value: 'b' }, { type: 'A', value: 'a' }, { type: 'AggregateError' }],
      'A: a (AggregateError, and 1 more)',
    ],
    ['a group without members', [{ type: 'ExceptionGroup', value: 'nothing' }], 'ExceptionGroup: nothing'],
    [
      'an error with a cause that an old SDK for JavaScript calls a group',
      [of('TypeError', 1, 0, { source: 'cause' }), of('Error', 0, undefined, group)],
      'Error: Error failed',
    ],
    [
      'what was raised from a group',
      [of('KeyError', 2, 1), of('ExceptionGroup', 1, 0, group), of('RuntimeError', 0)],
      'RuntimeError: RuntimeError failed',
    ],
    [
      'an only member with a cause of its own',
      [
        of('OSError', 2, 1, { source: '__cause__' }),
        of('ValueError', 1, 0, { source: 'exceptions[0]' }),
        of('ExceptionGroup', 0, undefined, group),
      ],
      'ValueError: ValueError failed',
    ],
    [
      'a group with a cause beside its only member',
      [
        of('OSError', 2, 0, { source: '__context__' }),
        of('ValueError', 1, 0, { source: 'exceptions[0]' }),
        of('ExceptionGroup', 0, undefined, group),
      ],
      'ValueError: ValueError failed',
    ],
  ])('of %s', (_name, values, title) => expect(titled(values)).toBe(title));

  it('have the number of the others beside a message of any length', () => {
    const [one, two, last] = pythonGroup(['a', 'b']) as [Sent, Sent, Sent];
    const title = titled([one, { ...two, value: 'x'.repeat(900) }, { ...last, type: 'G'.repeat(200) }]);
    expect(title).toHaveLength(256);
    expect(title).toMatch(/^LookupError: x+ \(G{80}, and 1 more\)$/);
  });

  it('use the stack of a cause, else of the group, where the member has none', () => {
    const bare = of('ValueError', 1, 0, { source: 'exceptions[0]' });
    const cause = { ...of('OSError', 2, 1, { source: '__cause__' }), ...stackOf('read') };
    const whole = { ...of('ExceptionGroup', 0, undefined, group), ...stackOf('gather') };
    expect(placed([cause, bare, whole])).toBe('read (shop.read)');
    expect(placed([bare, whole])).toBe('gather (shop.gather)');
  });
});

describe('the tree of exceptions', () => {
  it('has the members of a group beside each other, each with its own causes', () => {
    expect(drawn(nested)).toEqual([
      'ExceptionGroup',
      '  Member 1 of 2: ExceptionGroup',
      '    Member 1 of 2: KeyError',
      '    Caused by OSError',
      '    Member 2 of 2: ValueError',
      '  Member 2 of 2: TypeError',
    ]);
  });

  it('is a chain by default', () => {
    const chain = [{ type: 'C' }, { type: 'B' }, { type: 'A' }];
    expect(drawn(chain)).toEqual(['A', 'Caused by B', 'Caused by C']);
    const java = [of('C', 2, 1), of('B', 1, 0), of('A', 0)];
    expect(drawn(java)).toEqual(['A', 'Caused by B', 'Caused by C']);
    const suppressed = [of('Cause', 2, 0), of('Close', 1, 0, { type: 'suppressed' }), of('Read', 0)];
    expect(drawn(suppressed)).toEqual(['Read', '  Suppressed 1 of 1: Close', 'Caused by Cause']);
  });

  it('treats exceptions before a group without ids as its members', () => {
    const values = ['C', 'B', 'ExceptionGroup', 'A', 'AggregateError'].map((type) => ({ type }));
    expect(drawn(values)).toEqual([
      'AggregateError',
      '  Member 1 of 2: A',
      '  Member 2 of 2: ExceptionGroup',
      '    Member 1 of 2: B',
      '    Member 2 of 2: C',
    ]);
  });

  it('places an exception by list order where its parent is missing, itself or in a cycle', () => {
    const missing = [of('B', 2, 7), of('A', 1, 0), of('ExceptionGroup', 0, undefined, group)];
    expect(drawn(missing)).toEqual(['ExceptionGroup', '  Member 1 of 1: A', '  Caused by B']);
    const own = [of('B', 2, 2), of('A', 1, 0)];
    expect(drawn(own)).toEqual(['A', 'Caused by B']);
    const ring = [of('C', 2, 1), of('B', 1, 2), of('A', 0)];
    expect(drawn(ring)).toEqual(['A', 'Caused by B', 'Caused by C']);
    const same = [of('B', 1, 1), of('A', 1, 1)];
    expect(drawn(same)).toEqual(['A', 'Caused by B']);
  });

  it('lists every exception once, whatever their ids are', () => {
    const id = fc.oneof(fc.integer({ min: -1, max: 6 }), fc.constantFrom(undefined, null, '1', 1e99));
    const any = fc.record({
      type: fc.constantFrom('Error', 'AggregateError', ''),
      mechanism: fc.option(
        fc.record({
          type: fc.constantFrom('chained', 'suppressed'),
          exception_id: id,
          parent_id: id,
          is_exception_group: fc.boolean(),
          source: fc.constantFrom(undefined, 'cause', 'errors[0]', 7),
        }),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (values) => {
        const tree = buildExceptionTree(values);
        expect(tree.map(({ index }) => index).sort((one, other) => one - other)).toEqual([...values.keys()]);
        expect(tree.every(({ depth }, at) => depth <= (tree[at - 1]?.depth ?? -1) + 1)).toBe(true);
        const main = findMainException(values, tree);
        expect(main === null).toBe(values.length === 0);
        if (main !== null) expect(main.others).toBeLessThan(values.length);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('the order of the members', () => {
  const keysOf = (values: readonly Sent[]) => {
    const event = eventOf(values);
    const grouping = computeFingerprint(event);
    return [grouping.hash, computeSecondaryHash(event, grouping)?.hash];
  };

  it('does not change the key, however many there are', () => {
    const names = Array.from({ length: 45 }, (_, at) => `load_${at}`);
    expect(keysOf(pythonGroup(names.toReversed()))).toEqual(keysOf(pythonGroup(names)));
    expect(keysOf(pythonGroup(names.slice(1)))).not.toEqual(keysOf(pythonGroup(names)));
  });

  it('does not change the key of nested groups', () => {
    const [type, value, cause, key, inner, outer] = nested as [Sent, Sent, Sent, Sent, Sent, Sent];
    expect(keysOf([cause, key, value, inner, type, outer])).toEqual(keysOf(nested));
  });
});
