// What the name of a field says, whatever its value: asked once for each name, because names repeat from
// event to event. What becomes of the value is in values.ts.
import { judgeKey, type KeyVerdict } from './table/names.ts';
import type { TextKind } from './table/rules.ts';
import { type ScrubState, scrubString } from './text.ts';

/** What a name says, whatever its value. */
export interface KeyFacts {
  /** Without secrets. */
  readonly name: string;
  /** Of the name as it will be stored, so that scrubbing a stored event again changes nothing. */
  readonly verdict: KeyVerdict;
  /** Whether its value may be a query without the sign in front of it. */
  readonly namesQuery: boolean;
}

/** Names repeat from event to event; those that hold nothing are remembered. */
export function factsOf(key: string, state: ScrubState, kind: TextKind): KeyFacts {
  if (state.extra.pattern !== '') return factsAnew(key, state, kind);
  const known = harmlessKeys.get(key);
  if (known !== undefined) return known;
  const before = state.count;
  const facts = factsAnew(key, state, kind);
  if (kind !== 'version' && key.length <= 64 && state.count === before && facts.name === key) {
    if (harmlessKeys.size >= harmlessKeysMax) harmlessKeys.clear();
    harmlessKeys.set(key, facts);
  }
  return facts;
}

const harmlessKeys = new Map<string, KeyFacts>();
const harmlessKeysMax = 5_000;

function factsAnew(key: string, state: ScrubState, kind: TextKind): KeyFacts {
  const name = key.length < 7 ? key : scrubString(key, state, kind === 'version' ? kind : 'text');
  return { name, verdict: judgeKey(name, state.extra), namesQuery: queryName.test(key) };
}

const queryName = /(?:query|querystring|query_string|search|fragment)$/i;
