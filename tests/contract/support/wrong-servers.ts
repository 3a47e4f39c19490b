// Servers that are wrong on purpose: each breaks one rule of the specification, and names the check that must
// catch it.
import { wrongCredentials } from './wrong-credentials.ts';
import type { Answered, Passing, Wrong } from './wrong-server.ts';

type Body = Record<string, unknown>;

export const wrongServers: readonly Wrong[] = [
  answering('403 for 401', '401-store-no-key', (each) =>
    each.status === 401 ? withStatus(each, 403) : each,
  ),
  answering('400 for 401 on /releases', '401-releases-no-key', (each, { path }) =>
    each.status === 401 && path === '/releases' ? withStatus(each, 400) : each,
  ),
  changing('no data.status', 'errors-have-data-status', isError, (body) => ({ ...body, data: {} })),
  changing('data.status as text', 'errors-have-data-status', isError, (body) => ({
    ...body,
    data: { status: String((body['data'] as Body)['status']) },
  })),
  changing('data.status of another error', 'errors-have-data-status', isError, (body) => ({
    ...body,
    data: { status: 418 },
  })),
  changing('errors without code', 'errors-have-code', isError, ({ code: _code, ...body }) => body),
  changing('a number as code', 'errors-have-code', isError, (body) => ({ ...body, code: 17 })),
  changing(
    'errors without message',
    'errors-have-message',
    isError,
    ({ message: _message, ...body }) => body,
  ),
  changing(
    'another code for 401',
    '401-deploys-unknown-key',
    (each) => each.status === 401,
    (body) => ({
      ...body,
      code: 'unauthorized',
    }),
  ),
  answering('an HTML page for errors', 'errors-are-json', (each) => (isError(each) ? html(each) : each)),
  answering('an HTML page for unknown routes', 'unknown-route-is-an-error', (each) =>
    codeOf(each) === 'rest_no_route' ? html(each) : each,
  ),
  answering('404 as 200', 'unknown-route-is-an-error', (each) =>
    each.status === 404 ? { ...each, status: 200 } : each,
  ),
  answering('405 for another method', 'wrong-method-is-an-error', (each, { method, path }) =>
    method === 'GET' && path === '/store' ? withStatus(each, 405) : each,
  ),
  answering('422 for a body that is not JSON', 'store-refuses-what-is-not-json', (each) =>
    codeOf(each) === 'rest_invalid_json' ? withStatus(each, 422) : each,
  ),
  answering('what is not JSON is taken', 'store-refuses-what-is-not-json', (each) =>
    codeOf(each) === 'rest_invalid_json' ? { ...each, status: 200, body: { accepted: true } } : each,
  ),
  answering('JSON said to be HTML', 'answers-say-json', (each) => ({
    ...each,
    headers: { ...each.headers, 'Content-Type': 'text/html; charset=UTF-8' },
  })),
  answering('success without JSON', 'answers-are-json', (each, { path }) =>
    path === '/deploys' && each.status < 300 ? { ...each, body: 'OK' } : each,
  ),
  changing('issue_id as text', 'store-answers-issue-id', isEvent('/store'), (body) => ({
    ...body,
    issue_id: String(body['issue_id']),
  })),
  changing('issue_id as text by envelope', 'envelope-answers-issue-id', isEvent('/envelope'), (body) => ({
    ...body,
    issue_id: String(body['issue_id']),
  })),
  changing('accepted as text', 'store-answers-accepted', isEvent('/store'), (body) => ({
    ...body,
    accepted: 'true',
  })),
  changing('accepted as 1 by envelope', 'envelope-answers-accepted', isEvent('/envelope'), (body) => ({
    ...body,
    accepted: 1,
  })),
  without('no event_id', 'store-answers-event-id', '/store', 'event_id'),
  without('no event_id by envelope', 'envelope-answers-event-id', '/envelope', 'event_id'),
  ...['/feedback', '/releases', '/deploys', '/test-runs'].map((path) =>
    without(`no accepted from ${path}`, `${path.slice(1)}-answers-accepted`, path, 'accepted'),
  ),
  without('no accepted for a proof', 'proof-answers-accepted', '/domain-verifications', 'accepted'),
  without('no test_run_id', 'test-runs-answers-test-run-id', '/test-runs', 'test_run_id'),
  without('no id for a proof', 'proof-answers-its-id', '/domain-verifications', 'id'),
  without('no flags', 'sdk-verify-has-flags', '/sdk-verify', 'flags'),
  changing(
    'bug reports said to be on everywhere',
    ['sdk-verify-flags-of-other-domain'],
    isEvent('/sdk-verify'),
    (body) => ({
      ...body,
      flags: { ...(body['flags'] as Body), bug_reports: true },
    }),
  ),
  changing(
    'bug reports said to be off everywhere',
    ['sdk-verify-flags-of-domain'],
    isEvent('/sdk-verify'),
    (body) => ({
      ...body,
      flags: { ...(body['flags'] as Body), bug_reports: false },
    }),
  ),
  without('no statistics', 'sdk-verify-has-statistics', '/sdk-verify', 'stats'),
  changing('one event_id for all', 'event-ids-differ', isEvent('/store'), (body) => ({
    ...body,
    event_id: '0'.repeat(32),
  })),
  changing('one issue for all', 'other-error-other-issue', isEvent('/store'), (body) => ({
    ...body,
    issue_id: 1,
  })),
  issuePerEvent(),
  changing('another issue by envelope', 'envelope-and-store-group-alike', isEvent('/envelope'), (body) => ({
    ...body,
    issue_id: 1_000_000 + Number(body['issue_id']),
  })),
  ...['/store', '/envelope', '/feedback', '/sdk-verify'].map((path) => closedRoute(path)),
  ...['/releases', '/deploys', '/test-runs'].map((path) => closedRoute(path)),
  closedProofs('proofs cannot be made', 'proof-is-created', /^\/domain-verifications$/),
  closedProofs('proofs cannot be read', 'proof-is-read', /^\/domain-verifications\/[^/]+$/),
  closedProofs('proofs cannot be checked', 'proof-is-checked', /\/check$/),
  answering('a check needs a body', 'proof-check-needs-no-body', (each, { path, body }) =>
    path.endsWith('/check') && body === '' && each.status === 200 ? refused(each, 400) : each,
  ),
  forgetfulProofs(),
  changing(
    'the record of another proof',
    'proof-is-read',
    (_each, { method }) => method === 'GET',
    () => ({
      id: 'dv_another',
      domain: 'another.example',
    }),
  ),
  answering('an unknown proof is 200', 'unknown-proof-is-an-error', (each, { method, path }) =>
    method === 'GET' && path.startsWith('/domain-verifications/') && each.status === 404
      ? { ...each, status: 200, body: { id: 'any' } }
      : each,
  ),
  answering('a check of an unknown proof is 200', 'unknown-proof-check-is-an-error', (each, { path }) =>
    path.endsWith('/check') && each.status === 404
      ? { ...each, status: 200, body: { verified: false } }
      : each,
  ),
  {
    name: 'bug reports taken when they are off',
    caughtBy: ['feedback-refused-when-off'],
    ask: (passing, { domain }) =>
      passing.path === '/feedback'
        ? {
            ...passing,
            headers: { ...passing.headers, origin: `https://${domain}` },
            body: passing.body.replaceAll('notifier-contract.invalid', domain),
          }
        : passing,
  },
  {
    name: 'another namespace',
    caughtBy: ['namespace-answers'],
    ask: (passing) => ({ ...passing, path: `/wp-json/notifier/v2${passing.path}` }),
  },
  {
    name: 'a path without the version',
    caughtBy: ['version-in-the-path'],
    ask: (passing) => ({
      ...passing,
      path: passing.path.replace('/wp-json/notifier/store', '/wp-json/notifier/v1/store'),
    }),
  },
  ...wrongCredentials(),
  answering('no limit on /store', 'limit-on-store', unlimited('/store')),
  answering('no limit on /envelope', 'limit-on-envelope', unlimited('/envelope')),
  answering('no limit on /feedback', 'limit-on-feedback', unlimited('/feedback')),
  answering('no limit on /sdk-verify', 'limit-on-sdk-verify', unlimited('/sdk-verify')),
  answering('503 for 429', 'limit-on-feedback', (each) =>
    each.status === 429 ? withStatus(each, 503) : each,
  ),
  answering('a 429 without the error body', 'limit-has-error-body', (each) =>
    each.status === 429 ? { ...each, body: { error: 'slow down' } } : each,
  ),
  answering('an error outside the five', 'errors-keep-to-five-statuses', (each) =>
    codeOf(each)?.startsWith('notifier_domain_verification') === true ? withStatus(each, 410) : each,
  ),
];

function closedRoute(path: string): Wrong {
  const checks: Record<string, string[]> = {
    '/store': ['store-accepts-event', 'store-takes-public-key-header', 'namespace-answers'],
    '/envelope': ['envelope-accepts-event'],
    '/feedback': ['feedback-accepts-report'],
    '/sdk-verify': ['sdk-verify-answers'],
  };
  const route = path.slice(1);
  const caughtBy = checks[path] ?? [`${route}-accepts`, `${route}-takes-bearer`];
  return answering(`${path} refuses what is right`, caughtBy, (each, passing) =>
    passing.path === path && each.status < 300 ? refused(each, 400) : each,
  );
}

function closedProofs(name: string, caughtBy: string, pattern: RegExp): Wrong {
  return answering(name, caughtBy, (each, { path }) =>
    pattern.test(path) && each.status < 300 ? refused(each, 400) : each,
  );
}

/** The proof is gone once it was checked. */
function forgetfulProofs(): Wrong {
  let checked = false;
  return answering('a proof is used up by its check', 'proof-is-reusable', (each, { method, path }) => {
    if (path.endsWith('/check') && each.status === 200) checked = true;
    const isRead = method === 'GET' && path.startsWith('/domain-verifications/');
    return isRead && checked && each.status === 200 ? refused(each, 404) : each;
  });
}

function issuePerEvent(): Wrong {
  let events = 0;
  return changing('an issue for each event', 'same-error-same-issue', isEvent('/store'), (body) => {
    events += 1;
    return { ...body, issue_id: events };
  });
}

function unlimited(path: string): (each: Answered, passing: Passing) => Answered {
  return (each, passing) =>
    passing.path === path && each.status === 429
      ? { ...each, status: 200, body: { accepted: true, event_id: 'a', issue_id: 1 } }
      : each;
}

function answering(
  name: string,
  caughtBy: string | readonly string[],
  answer: NonNullable<Wrong['answer']>,
): Wrong {
  return { name, caughtBy: [caughtBy].flat(), answer };
}

function changing(
  name: string,
  caughtBy: string | readonly string[],
  where: (each: Answered, passing: Passing) => boolean,
  change: (body: Body) => Body,
): Wrong {
  return answering(name, caughtBy, (each, passing) =>
    where(each, passing) && typeof each.body === 'object'
      ? { ...each, body: change(each.body as Body) }
      : each,
  );
}

function without(name: string, caughtBy: string, path: string, member: string): Wrong {
  const here = (each: Answered, passing: Passing) => passing.path === path && each.status < 300;
  return changing(name, caughtBy, here, (body) => {
    const rest = { ...body };
    delete rest[member];
    return rest;
  });
}

function isError(each: Answered): boolean {
  return each.status >= 400;
}

function isEvent(path: string): (each: Answered, passing: Passing) => boolean {
  return (each, passing) => passing.path === path && each.status < 300;
}

function withStatus(each: Answered, status: number): Answered {
  const body = each.body as Body;
  const data = typeof body === 'object' ? { ...body, data: { ...(body['data'] as Body), status } } : body;
  return { ...each, status, body: data };
}

function refused(each: Answered, status: number): Answered {
  return { ...each, status, body: { code: 'refused', message: 'No.', data: { status } } };
}

function html(each: Answered): Answered {
  return { ...each, headers: { 'Content-Type': 'text/html' }, body: '<html><body>Error</body></html>' };
}

function codeOf(each: Answered): string | undefined {
  const code = (each.body as Body | null)?.['code'];
  return typeof code === 'string' ? code : undefined;
}
