// What a shop's page runs in the browser test: the real @sentry/browser with the feedback integration.
import * as Sentry from '@sentry/browser';

window.Sentry = Sentry;
