// All that alerts ask of the database.
import type { AlertingStore } from '../../src/core/store/alerting.ts';
import type { AlertStore } from '../../src/core/store/alerts.ts';
import type { Db } from '../db.ts';
import { channelStore } from './channels.ts';
import { deliveryStore } from './deliveries.ts';
import { gatheredStore } from './gathered.ts';
import { ongoingStore } from './ongoing.ts';
import { ruleStore } from './rules.ts';
import { signalStore } from './signals.ts';

/** The queries of `AlertStore` and `AlertingStore`. */
export function alertStore(db: Db): AlertStore & AlertingStore {
  return {
    ...channelStore(db),
    ...ruleStore(db),
    ...deliveryStore(db),
    ...signalStore(db),
    ...gatheredStore(db),
    ...ongoingStore(db),
  };
}
