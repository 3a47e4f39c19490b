// Alert channels for the store, each with what a test needs to say about it.
import type { NewChannel } from '../../../src/core/store/alert-records.ts';
import { startMs } from './events.ts';

/** A channel of e-mail of the workspace, made at the start unless said. */
export const mailChannelOf = (parts: Partial<NewChannel> = {}): NewChannel => ({
  projectId: null,
  name: 'Team',
  type: 'email',
  address: 'a@shop.example',
  target: 'a•••@shop.example',
  secret: '',
  settings: {},
  quietHours: '',
  createdAtMs: startMs,
  createdBy: 'Mara',
  ...parts,
});
