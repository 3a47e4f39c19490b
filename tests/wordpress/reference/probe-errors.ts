// What the plugin's routes /_error/… and /_perm/… answer, case by case.

import type { PhpValue } from '../../../src/wordpress/php/values.ts';
import type { RestRequest } from '../../../src/wordpress/request/rest-request.ts';
import { RestResponse } from '../../../src/wordpress/response/rest-response.ts';
import { toErrorResponse, WpError } from '../../../src/wordpress/response/wp-error.ts';
import { Halt } from '../../../src/wordpress/rest/send-response.ts';
import { unknownCase } from './probe-outputs.ts';

type Outcome = PhpValue | RestResponse | WpError;

/** The answer of a case of /_error/…, or what it throws. */
export function failure(name: string, request: RestRequest): Outcome {
  const make = Object.hasOwn(failures, name) ? failures[name] : undefined;
  return make === undefined ? unknownCase() : make(request);
}

/** The verdict of a case of /_perm/…; true for one it does not know. */
export function verdict(name: string): unknown {
  return Object.hasOwn(verdicts, name) ? verdicts[name]?.() : true;
}

const verdicts: Record<string, () => unknown> = {
  true: () => true,
  false: () => false,
  null: () => null,
  zero: () => 0,
  empty: () => '',
  one: () => 1,
  string: () => 'yes',
  'error-401': () => new WpError('rest_forbidden', 'Key missing.', { status: 401 }),
  'error-403': () => new WpError('notifier_suspended', 'Project suspended.', { status: 403 }),
  'error-nostatus': () => new WpError('notifier_nostatus', 'No status given.'),
};

const errors: Record<string, () => WpError> = {
  '429': () => new WpError('rest_too_many_requests', 'Too many requests.', { status: 429, retry_after: 30 }),
  'no-data': () => new WpError('notifier_plain', 'No data.'),
  'string-data': () => new WpError('notifier_string', 'String data.', 'just text'),
  'int-data': () => new WpError('notifier_int', 'Integer data.', 404),
  'null-data': () => new WpError('notifier_null', 'Null data.', null),
  'list-data': () => new WpError('notifier_list', 'List data.', [1, 2]),
  'empty-data': () => new WpError('notifier_emptydata', 'Empty data.', []),
  'string-status': () => new WpError('notifier_strstatus', 'Status as a string.', { status: '409' }),
  'word-status': () => new WpError('notifier_wordstatus', 'Status as a word.', { status: 'gone' }),
  'empty-code': () => new WpError('', 'No code.'),
  'no-code': () => new WpError(),
  'int-code': () => new WpError('1234', 'Integer code.', { status: 400 }),
  html: () => new WpError('notifier_html', '<b>"Bad" & \'worse\'</b> / ünï 🚀', { status: 400 }),
  multiple: () =>
    new WpError('notifier_one', 'One.', { status: 422 })
      .add('notifier_two', 'Two.', { status: 400, x: 1 })
      .add('notifier_three', 'Three.'),
  'same-code': () =>
    new WpError('notifier_same', 'First text.', { status: 400 }).add('notifier_same', 'Second text.'),
  'data-twice': () =>
    new WpError('notifier_twice', 'Data twice.', { status: 400, n: 1 }).addData({ status: 403, n: 2 }),
  'later-status': () =>
    new WpError('notifier_first', 'First has no status.').add('notifier_second', 'Second has.', {
      status: 404,
    }),
};

const endings: Record<string, (request: RestRequest) => Outcome> = {
  exception: () => {
    throw new Error('thrown');
  },
  'type-error': () => {
    throw new TypeError('a text is wanted where an array was given');
  },
  fatal: () => {
    throw new ReferenceError('a function that is not there');
  },
  warning: () => ({ value: null, again: null }),
  'wp-die': () => {
    throw Halt.die({ code: 'wp_die', message: 'Died here.', title: 'Title', status: 403 });
  },
  'wp-die-error': () => {
    throw Halt.die({ code: 'notifier_died', message: 'Died with an error.', status: 410 });
  },
  'send-json': () => {
    throw Halt.with(402, '{"success":false,"data":{"why":"direct"}}', 'application/json; charset=UTF-8');
  },
  exit: () => {
    throw Halt.with(200, '');
  },
  'response-4xx': () => new RestResponse({ code: 'own', message: 'Own shape.' }, 409, [['X-Own', 'yes']]),
  'retry-after': () =>
    toErrorResponse(new WpError('rest_too_many_requests', 'Too many requests.', { status: 429 })).header(
      'Retry-After',
      '30',
    ),
  output: (request) => {
    request.printed += 'stray ';
    return { ok: true };
  },
};

const failures: Record<string, (request: RestRequest) => Outcome> = { ...errors, ...endings };
