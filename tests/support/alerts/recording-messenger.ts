import type { NotificationSender, WebhookMessage } from '../../../src/core/ports/notification-sender.ts';

/** Records posted messages in `sent` instead of sending them. No mail. */
export function recordingMessenger(sent: WebhookMessage[]): NotificationSender {
  return {
    canMail: false,
    async post(message) {
      sent.push(message);
      return { ok: true, status: 200, detail: '' };
    },
    mail: async () => ({ ok: false, status: null, detail: '' }),
  };
}
