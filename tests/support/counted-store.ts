import type { Store } from '../../src/core/store/store.ts';

/** The store, which counts in `calls` how often each of its methods is used, inside transactions too. */
export function countCalls(store: Store, calls: Map<string, number>): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      if (name !== 'transaction') return target[name];
      const transaction: Store['transaction'] = (act) =>
        target.transaction((inner) => act(countCalls(inner, calls)));
      return transaction;
    },
  });
}
