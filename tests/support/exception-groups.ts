// Exception groups as sent by sentry-sdk for Python: members first, the group last.

export const stackOf = (name: string) => ({
  stacktrace: {
    frames: [
      { function: 'run', module: 'asyncio.runners', filename: 'asyncio/runners.py', in_app: false },
      { function: name, module: `shop.${name}`, filename: `shop/${name}.py`, lineno: 4, in_app: true },
    ],
  },
});

const chained = (
  type: string,
  name: string,
  id: number,
  parent: number,
  source: string,
  more: object = {},
) => ({
  type,
  value: name,
  mechanism: { type: 'chained', handled: true, exception_id: id, parent_id: parent, source, ...more },
  ...stackOf(name),
});

const groupOf = (value: string) => ({
  type: 'ExceptionGroup',
  value,
  mechanism: { type: 'generic', handled: true, is_exception_group: true, exception_id: 0 },
  ...stackOf('gather_like'),
});

/** A group with one LookupError per function. */
export function pythonGroup(names: readonly string[]): Array<Readonly<Record<string, unknown>>> {
  const members = names.map((name, at) => ({
    ...chained('LookupError', name, at + 1, 0, `exceptions[${at}]`),
    value: `no ${name}`,
  }));
  return [...members.reverse(), groupOf('page failed')];
}

/** A group with a nested group; a member of that has a cause. */
export const nested: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  chained('TypeError', 'total', 5, 0, 'exceptions[1]'),
  chained('ValueError', 'tax', 4, 1, 'exceptions[1]'),
  chained('OSError', 'read', 3, 2, '__cause__'),
  chained('KeyError', 'price', 2, 1, 'exceptions[0]'),
  chained('ExceptionGroup', 'cart failed', 1, 0, 'exceptions[0]', { is_exception_group: true }),
  groupOf('page failed'),
];
