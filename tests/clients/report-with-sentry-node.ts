// Sends bug reports with the real @sentry/node and prints the event's id as JSON. Run by
// sentry-node-feedback.full.test.ts as a process of its own.
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: process.env['DSN'] ?? '', release: 'shop@1.2.3' });
const eventId = Sentry.captureException(new TypeError('not for sale'));
// Not awaited in between, as programs call it: the report may well arrive before its event is filed.
Sentry.captureFeedback({
  message: 'With its event',
  name: 'Ada',
  email: 'ada@example.com',
  associatedEventId: eventId,
});
Sentry.captureFeedback({ message: 'With a page', url: 'https://shop.example/cart' });
Sentry.captureFeedback({ message: 'With neither' });
await Sentry.close(10_000);
process.stdout.write(JSON.stringify(eventId));
