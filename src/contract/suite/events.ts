// What the specification says of events: /store, /envelope, and the grouping of both. Data only.
import type { Check, Suite } from '../check.ts';
import { envelopeType, jsonType, mark, post, postText, probeEvent, publicKey } from './request-parts.ts';

const envelope = [
  '{"event_id":"{{envelope_event_id}}"}',
  '{"type":"event"}',
  JSON.stringify({ ...probeEvent, event_id: '{{envelope_event_id}}' }),
  '',
].join('\n');

export const eventSuite: Suite = {
  requests: [
    post('store-event', '/store', [publicKey], probeEvent, {
      captures: { issue_id: ['issue_id'], stored_event_id: ['event_id'] },
    }),
    post('store-event-again', '/store', [publicKey], probeEvent, { after: ['store-event'] }),
    post('store-other-event', '/store', [publicKey], {
      message: `${mark}: cannot open the ledger, an unrelated probe`,
      platform: 'php',
    }),
    postText('envelope-event', '/envelope', [envelopeType, publicKey], envelope),
    postText('envelope-event-again', '/envelope', [envelopeType, publicKey], envelope, {
      after: ['envelope-event'],
    }),
    postText('store-not-json', '/store', [jsonType, publicKey], '{"message": "notifier-contract",'),
  ],
  checks: [
    event('store-accepts-event', 'POST /store takes an event of message and platform', '4', 'store-event', {
      statements: ['4.store', '4.store-credential', '4.json-requests', '2.event-message', '2.event-platform'],
      expect: [{ is: 'success' }],
    }),
    event('store-takes-public-key-header', 'X-Notifier-Key is the credential of /store', '5', 'store-event', {
      statements: ['5.public-key-header', '5.store-public'],
      expect: [{ is: 'success' }],
    }),
    event('store-answers-accepted', '/store answers accepted, a boolean', '2', 'store-event', {
      statements: ['2.accepted-object', '2.accepted-boolean', '4.store'],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
    }),
    event('store-answers-event-id', '/store answers event_id, a string', '2', 'store-event', {
      statements: ['2.event-id', '6.event-id', '2.accepted-identifiers', '4.store', '4.identifiers'],
      expect: [
        { is: 'member', path: 'event_id', type: 'string' },
        { is: 'match', path: 'event_id', pattern: '\\S' },
      ],
    }),
    event('store-answers-issue-id', '/store answers issue_id, an integer', '2', 'store-event', {
      statements: ['2.issue-id', '2.accepted-identifiers', '4.store', '4.identifiers'],
      expect: [{ is: 'member', path: 'issue_id', type: 'integer' }],
    }),
    event('event-ids-differ', 'Each accepted event yields its own event_id', '6', 'store-event-again', {
      statements: ['6.event-id'],
      expect: [{ is: 'success' }, { is: 'not-same-as', request: 'store-event', path: 'event_id' }],
    }),
    event('same-error-same-issue', 'The same error twice is one issue', '6', 'store-event-again', {
      statements: ['6.grouped'],
      expect: [{ is: 'success' }, { is: 'same-as', request: 'store-event', path: 'issue_id' }],
    }),
    event('other-error-other-issue', 'An unrelated error is another issue', '6', 'store-other-event', {
      statements: ['6.grouped'],
      expect: [{ is: 'success' }, { is: 'not-same-as', request: 'store-event', path: 'issue_id' }],
    }),
    event(
      'envelope-accepts-event',
      'POST /envelope takes an envelope with one event',
      '4',
      'envelope-event',
      {
        statements: ['4.envelope', '4.envelope-credential', '5.public-key-header'],
        expect: [{ is: 'success' }],
      },
    ),
    event('envelope-answers-accepted', '/envelope answers accepted, a boolean', '2', 'envelope-event', {
      statements: ['2.accepted-object', '2.accepted-boolean'],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
    }),
    event('envelope-answers-event-id', '/envelope answers event_id, a string', '4', 'envelope-event', {
      statements: ['4.envelope', '2.event-id', '6.event-id', '4.identifiers'],
      expect: [
        { is: 'member', path: 'event_id', type: 'string' },
        { is: 'match', path: 'event_id', pattern: '\\S' },
      ],
    }),
    event('envelope-answers-issue-id', '/envelope answers issue_id, an integer', '4', 'envelope-event', {
      statements: ['4.envelope', '2.issue-id', '4.identifiers'],
      expect: [{ is: 'member', path: 'issue_id', type: 'integer' }],
    }),
    event(
      'envelope-and-store-group-alike',
      'The same error by either door is one issue',
      '6',
      'envelope-event',
      {
        statements: ['6.grouped'],
        expect: [{ is: 'success' }, { is: 'same-as', request: 'store-event', path: 'issue_id' }],
      },
    ),
    event('store-refuses-what-is-not-json', 'A body that is not JSON is refused', '4', 'store-not-json', {
      statements: ['4.json-requests', '7.error-object'],
      expect: [{ is: 'refused' }, { is: 'error' }],
    }),
  ],
};

function event(
  name: string,
  title: string,
  section: string,
  request: string,
  rest: Pick<Check, 'statements' | 'expect'>,
): Check {
  return { name, title, section, request, group: 'Events', severity: 'required', ...rest };
}
