// What became of each item of an envelope: the counts of the answer, and the outcomes of the hour. No item is read here.
import type { EventError } from '../../schemas/event.ts';
import type { Deps } from './deps.ts';
import { RestError } from './errors.ts';
import { categoryOf } from './item-types.ts';
import type { OutcomeName } from './outcomes.ts';
import { scrubText } from './scrub-text.ts';

const typeCharactersMax = 64;

export interface Tally {
  /** Counts an item as kept. Events and bug reports are counted as accepted where they are filed: those without `outcome`. */
  keep(type: string, outcome?: 'accepted'): void;
  /** Counts an item as skipped: what was lost, and why. */
  skip(type: string, outcome: OutcomeName, reason: string): void;
  /** Counts an item as refused and remembers the refusal: told when nothing else was kept (D-23). */
  refuse(type: string, refusal: RestError): void;
  counts(): {
    readonly items: Record<string, number>;
    readonly skipped: Record<string, number>;
    /** What was refused beside something that was kept. */
    readonly errors: readonly EventError[];
    /** The refusal to answer with, where nothing was kept. */
    readonly refusal: RestError | null;
  };
}

/** A tally whose outcomes go to the counter as they come. */
export function createTally(
  deps: Pick<Deps, 'outcomes'>,
  of: { readonly projectId: number; readonly atMs: number },
): Tally {
  const items = new Map<string, number>();
  const skipped = new Map<string, number>();
  const refusals: Array<{ type: string; refusal: RestError }> = [];
  const add = (counts: Map<string, number>, type: string): void => {
    const name = shownType(type);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const count = (type: string, outcome: OutcomeName, reason: string): void =>
    deps.outcomes.count({ ...of, outcome, reason, category: categoryOf(type), quantity: 1 });
  const skip = (type: string, outcome: OutcomeName, reason: string): void => {
    add(skipped, type);
    count(type, outcome, reason);
  };
  return {
    keep(type, outcome) {
      add(items, type);
      if (outcome !== undefined) count(type, outcome, '');
    },
    skip,
    refuse(type, refusal) {
      refusals.push({ type, refusal });
      const reason = String(refusal.extra['reason'] ?? refusal.code);
      skip(type, refusal.status === 403 ? 'filtered' : 'invalid', reason);
    },
    counts: () => ({
      items: bare(items),
      skipped: bare(skipped),
      errors: refusals.map(({ type, refusal }) => ({ type: refusal.code, name: type })),
      refusal: items.size === 0 ? (refusals[0]?.refusal ?? null) : null,
    }),
  };
}

/** Without a prototype: a client may call its items `__proto__`. */
function bare(counts: ReadonlyMap<string, number>): Record<string, number> {
  const record: Record<string, number> = Object.create(null);
  for (const [name, quantity] of counts) record[name] = quantity;
  return record;
}

/** The refusal that was thrown for one item; limits, overload and faults concern the whole request and are thrown on. */
export function itemRefusal(thrown: unknown): RestError {
  if (thrown instanceof RestError && thrown.status < 429) return thrown;
  throw thrown;
}

/** A client may call its items anything. */
function shownType(itemType: string): string {
  return scrubText(itemType.slice(0, typeCharactersMax));
}
