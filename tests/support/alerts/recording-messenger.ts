import type { Messenger, PostedMessage } from '../../../src/core/ports/messenger.ts';

/** Records posted messages in `sent` instead of sending them. No mail. */
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
