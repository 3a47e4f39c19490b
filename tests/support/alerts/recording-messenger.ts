// A way out for messages that leads nowhere: what is posted is kept and counts as sent.
import type { Messenger, PostedMessage } from '../../../src/core/ports/messenger.ts';

/** Keeps what is posted in `sent`, in the order of sending. It can mail nothing. */
export function recordingMessenger(sent: PostedMessage[]): Messenger {
  return {
    canMail: false,
    async post(message) {
      sent.push(message);
      return { ok: true, status: 200, said: '' };
    },
    mail: async () => ({ ok: false, status: null, said: '' }),
  };
}
