// Making, changing and deleting the rules of a workspace, each with the channels that it tells.
import type { Deps } from '../deps.ts';
import { badRequest, invalidParam } from '../errors.ts';
import type { KeptRule, SignalKind } from '../store/alerting.ts';
import type { RuleFilter } from '../store/alerts.ts';
import { usualRule } from './terms.ts';

type Parts = Pick<Deps, 'store'>;

export interface AskedRule {
  readonly kind: SignalKind;
  readonly name: string;
  readonly filters: readonly RuleFilter[];
  readonly foldOver: number;
  readonly channelIds: readonly number[];
}

const rulesMax = 200;

/** Makes a rule over all projects. Refuses with 400 one that tells nobody, and the 201st. */
export async function createRule(deps: Parts, asked: AskedRule): Promise<KeptRule> {
  const standings = await deps.store.listStandings();
  if (new Set(standings.map(({ rule }) => rule.id)).size >= rulesMax) {
    throw badRequest('notifier_too_many_alert_rules', `There may be at most ${rulesMax} rules.`);
  }
  return deps.store.addRule({ ...wordsOf(asked), projectId: null }, await toldOf(deps, asked));
}

/** Changes a rule; null for one that is not there. */
export async function changeRule(deps: Parts, id: number, asked: AskedRule): Promise<KeptRule | null> {
  return deps.store.changeRule(id, wordsOf(asked), await toldOf(deps, asked));
}

function wordsOf({ kind, name, filters, foldOver }: AskedRule): ReturnType<typeof usualRule> {
  const isUnfinished = filters.some(
    ({ field, name: tag, value }) => value === '' || (field === 'tag' && tag === ''),
  );
  if (isUnfinished) throw invalidParam({ filters: 'A condition needs a value, and one of a tag its name.' });
  return usualRule(kind, { name, filters, foldOver });
}

async function toldOf({ store }: Parts, { channelIds }: AskedRule): Promise<number[]> {
  const there = new Set((await store.listChannels()).map(({ id }) => id));
  const told = [...new Set(channelIds)].filter((id) => there.has(id));
  if (told.length === 0) throw invalidParam({ channels: 'A rule has to tell a channel.' });
  return told;
}
