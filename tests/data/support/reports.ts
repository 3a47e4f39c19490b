// Bug reports for the store, each with what a test needs to say about it.
import type { NewFeedback } from '../../../src/core/store/feedback.ts';
import { startMs } from './events.ts';

/** A report of project 1 that says "Broken", without screenshots. */
export const reportOf = (parts: Partial<NewFeedback> = {}): NewFeedback => ({
  projectId: 1,
  reportId: null,
  createdAtMs: startMs,
  message: 'Broken',
  truncated: false,
  name: 'Ada',
  email: 'ada@example.com',
  url: 'https://shop.example/x',
  domain: 'shop.example',
  eventId: null,
  category: 'bug',
  severity: null,
  release: '1.0',
  environment: null,
  userAgent: 'Test/1',
  locale: null,
  tags: { theme: 'dark' },
  details: { viewport: null, console: [], metadata: { a: 1 } },
  source: 'api',
  spam: false,
  screenshots: [],
  ...parts,
});
