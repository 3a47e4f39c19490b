// All that alerts ask of the database.
import type { AlertStore } from '../../src/core/store/alerting.ts';
import type { Db } from '../db.ts';
import { channelStore } from './channels.ts';
import { deliveryStore } from './deliveries.ts';
import { gatheredStore } from './gathered.ts';
import { ongoingStore } from './ongoing.ts';
import { ruleStore } from './rules.ts';
import { signalStore } from './signals.ts';

/** The queries of `AlertStore`. */
export function alertStore(db: Db): AlertStore {
  return {
    ...channelStore(db),
    ...ruleStore(db),
    ...deliveryStore(db),
    ...signalStore(db),
    ...gatheredStore(db),
    ...ongoingStore(db),
  };
}
