import type { EventError } from '../../../schemas/event.ts';
import type { Deps } from '../deps.ts';
import { RestError, readLimitReason, toRestError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import { scrubText } from '../scrub/text.ts';
import type { OutcomeName } from '../store/counts.ts';
import { getDataCategory } from './item-types.ts';

const typeCharactersMax = 64;

export interface ItemCounts {
  /** Counts a stored item. Without `outcome` for events and feedback, which are counted when stored. */
  countStored(type: string, outcome?: 'accepted'): void;
  /** For an event that an inbound filter dropped, whose outcome is counted there. */
  leaveOut(type: string): void;
  skip(type: string, outcome: OutcomeName, reason: string, quantity?: number): void;
  /** Counts a refused item. Rate limits, overload and server errors are thrown again while nothing is stored; later
   * they concern only the item, or the client would send stored items again. */
  refuse(type: string, thrown: unknown): RestError;
  counts(): {
    readonly items: Record<string, number>;
    readonly skipped: Record<string, number>;
    readonly errors: readonly EventError[];
    /** The error to answer with if nothing was stored. */
    readonly refusal: RestError | null;
  };
}

export function createItemCounts(
  deps: Pick<Deps, 'outcomes' | 'log'>,
  of: { readonly projectId: number; readonly atMs: number },
): ItemCounts {
  const items = new Map<string, number>();
  const skipped = new Map<string, number>();
  const refusals: Array<{ type: string; refusal: RestError }> = [];
  const add = (counts: Map<string, number>, type: string, quantity = 1): void => {
    const name = shownType(type);
    counts.set(name, (counts.get(name) ?? 0) + quantity);
  };
  const count = (type: string, outcome: OutcomeName, reason: string, quantity = 1): void =>
    deps.outcomes.count({ ...of, outcome, reason, category: getDataCategory(type), quantity });
  const skip = (type: string, outcome: OutcomeName, reason: string, quantity = 1): void => {
    add(skipped, type, quantity);
    count(type, outcome, reason, quantity);
  };
  return {
    countStored(type, outcome) {
      add(items, type);
      if (outcome !== undefined) count(type, outcome, '');
    },
    leaveOut: (type) => add(skipped, type),
    skip,
    refuse(type, thrown) {
      const refusal = toItemError(deps, thrown, items.size > 0);
      refusals.push({ type, refusal });
      skip(type, outcomeOf(refusal), reasonOf(refusal));
      return refusal;
    },
    counts: () => ({
      items: Object.fromEntries(items),
      skipped: Object.fromEntries(skipped),
      errors: refusals.map(({ type, refusal }) => ({ type: refusal.code, name: type })),
      refusal: items.size === 0 ? (refusals[0]?.refusal ?? null) : null,
    }),
  };
}

function outcomeOf({ status }: RestError): OutcomeName {
  if (status === 403) return 'filtered';
  if (status >= 500) return 'failed';
  return status === 429 ? 'rate_limited' : 'invalid';
}

function reasonOf({ status, extra, headers, code }: RestError): string {
  return status === 429 ? readLimitReason(new Map(headers)) : String(extra['reason'] ?? code);
}

/** False for limits, overload and server errors, which concern the whole request. */
export function isItemError(thrown: unknown): thrown is RestError {
  return thrown instanceof RestError && thrown.status < 429;
}

function toItemError(deps: Pick<Deps, 'log'>, thrown: unknown, isSomethingKept: boolean): RestError {
  if (!isSomethingKept && !isItemError(thrown)) throw thrown;
  const refusal = toRestError(thrown);
  if (refusal !== null) return refusal;
  deps.log.error(
    { error: String((thrown as Error)?.stack ?? thrown) },
    'an item failed with an internal error',
  );
  return new RestError('internal_server_error', 'The server could not store this item.', 500);
}

function shownType(itemType: string): string {
  return scrubText(cutText(itemType, typeCharactersMax));
}
