// The OpenAPI document, and its examples: what the program answered when they were recorded.
// `GOLDEN=renew npm test -- tests/routes/openapi` records them.
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { heartbeatRoutes } from '../../../routes/heartbeats.ts';
import { notifierRoutes } from '../../../routes/index.ts';
import { operations } from '../../../routes/openapi/operations.ts';
import { createTeam } from '../../../src/core/members/teams.ts';
import { referenceOfNoun } from '../../../src/core/page-models/api-reference.ts';
import type { RequestContext } from '../../../src/core/page-models/request-context.ts';
import type { Examples } from '../../../src/http/openapi/document.ts';
import { expectGolden, fixedBytes } from '../../golden/golden.ts';
import { byNamed, type TestApp, withTestApp } from '../../support/app.ts';
import { openAsMember, openSession } from '../../support/as-member.ts';
import { type Documented, readDocumented, requestBodyFault } from '../../support/documented.ts';
import { shared } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { openWorkspace } from '../../support/workspace.ts';
import { type ExampleRequest, exampleRequests, type KnownIds, withoutExample } from './example-requests.ts';

const examplesPath = join(import.meta.dirname, '../../../routes/openapi/examples.json');
const env = { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'notifier@shop.example' };
const workspace = shared(() => openWorkspace({ env, deps: { randomBytes: fixedBytes() } }));
let documented: Documented;

beforeAll(async () => {
  documented = await readDocumented(workspace.app.deps);
});

it('each route has an operation, and each operation a route', () => {
  const { deps } = workspace.app;
  const routes = notifierRoutes(deps).map(({ method, path }) => `${method} ${path}`);
  const open = heartbeatRoutes(deps).flatMap(({ methods, path }) => methods.map((each) => `${each} ${path}`));
  expect(Object.keys(operations).toSorted()).toEqual([...routes, ...open, 'GET /openapi\\.json'].toSorted());
  const ids = Object.values(operations).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('the limits of each request are the stored ones', async () => {
  const { components, paths } = await (await fetch(`${workspace.app.api}/openapi.json`)).json();
  const operationLines = Object.values<object>(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, parameters = [], requestBody }) => [
      ...parameters.flatMap((each: { name: string; schema: Schema }) =>
        limitsOf(`${operationId} ?${each.name}`, each.schema),
      ),
      ...Object.values<{ schema: Schema }>(requestBody?.content ?? {}).flatMap(({ schema }) =>
        limitsOf(operationId, schema),
      ),
    ]);
  const ofComponents = Object.entries<Schema>(components.schemas);
  const lines = [...operationLines, ...ofComponents.flatMap(([name, schema]) => limitsOf(name, schema))];
  expectGolden('limits.txt', [...new Set(lines)].join('\n'));
});

describe('the examples', () => {
  it('are what the server answers (GOLDEN=renew records them)', async () => {
    const recorded = await recordExamples();
    if (process.env['GOLDEN'] === 'renew') {
      writeFileSync(examplesPath, `${JSON.stringify(recorded, null, 1)}\n`);
    }
    expect(recorded).toEqual(JSON.parse(readFileSync(examplesPath, 'utf8')));
    const known = Object.values(operations).map(({ id }) => id);
    expect(known.filter((id) => recorded[id] === undefined && !withoutExample.has(id))).toEqual([]);
  });

  it('match the document', () => {
    const examples = JSON.parse(readFileSync(examplesPath, 'utf8')) as Examples;
    const faults: string[] = [];
    for (const { pointer, operation } of documented.routes) {
      const { request, answers = {} } = examples[operation.operationId] ?? {};
      const at = (part: string) => `${pointer}/${part}/content/application~1json/schema`;
      const check = (part: string, value: unknown) => {
        const validate = documented.answer(at(part));
        if (!validate(value)) faults.push(`${pointer}/${part}: ${JSON.stringify(validate.errors)}`);
      };
      if (typeof request === 'object') check('requestBody', request);
      for (const [status, answer] of Object.entries(answers)) check(`responses/${status}`, answer);
    }
    expect(faults).toEqual([]);
  });
});

describe('GET /openapi.json', () => {
  inFull(it)('needs no key, and is 304 for a client that has it', async () => {
    const { app } = workspace;
    const answer = await fetch(`${app.api}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: app.api }] });
    const etag = answer.headers.get('etag') ?? '';
    const again = await fetch(`${app.api}/openapi.json`, { headers: { 'if-none-match': etag } });
    expect(again).toHaveStatus(304);
    expect(await again.text()).toBe('');
  });

  it('names the public address, with its folder', async () => {
    await withTestApp({ env: { BASE_URL: 'https://shop.example', WP_PATH: '/blog' } }, async (app) => {
      const answer = await fetch(`${app.origin}/blog/wp-json/notifier/v1/openapi.json`);
      const { servers } = (await answer.json()) as { servers: unknown };
      expect(servers).toEqual([{ url: 'https://shop.example/blog/wp-json/notifier/v1' }]);
    });
  });
});

it('the reference names the credential of each route', () => {
  const of = (noun: string) => {
    const context = { apiUrl: 'https://notifier.example/api' } as RequestContext;
    const [route] = referenceOfNoun(documented.document, context, noun).routes;
    return [route?.key, /-H "[^"]+"/.exec(route?.curl ?? '')?.[0]];
  };
  expect(of('members')).toEqual([
    'API token of a member, scope read',
    '-H "Authorization: Bearer $NOTIFIER_API_TOKEN"',
  ]);
  expect(of('issues')).toEqual(['secret key, scope read', '-H "Authorization: Bearer $NOTIFIER_SECRET_KEY"']);
  expect(of('ingestion')).toEqual(['public key', '-H "X-Notifier-Key: $NOTIFIER_PUBLIC_KEY"']);
});

it('does not match an answer with an extra or a missing member', () => {
  const validate = documented.answer('/components/schemas/Comment');
  const comment = {
    comment_id: 1,
    issue_id: 1,
    author: 'Jane',
    at: '2026-11-21T12:00:00.000Z',
    text: 'Hello',
  };
  const { text, ...less } = comment;
  expect([comment, { ...comment, body: text }, less].map((each) => validate(each))).toEqual([
    true,
    false,
    false,
  ]);
});

describe('a body that is not JSON', () => {
  const file = new File(['let a = 1;'], 'app.js');
  const fault = async (id: string, body: FormData | URLSearchParams | Blob): Promise<string | null> => {
    const route = documented.routes.find(({ operation }) => operation.operationId === id);
    if (route === undefined) throw new Error(`There is no operation ${id}.`);
    const request = new Request('http://localhost', { method: 'POST', body });
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    return requestBodyFault(documented, route, headers, Buffer.from(await request.arrayBuffer()));
  };
  const form = (...parts: ReadonlyArray<readonly [string, string | File]>): FormData => {
    const made = new FormData();
    for (const [name, value] of parts) made.append(name, value);
    return made;
  };
  const blob = (type: string): Blob => new Blob(['{}\n{}'], { type });

  it('matches if its parts are documented, each as file or text', async () => {
    const fits = [
      fault('createArtifacts', form(['release', '1'], ['minified_file', file], ['~/src/app.ts', file])),
      fault('createArtifacts', form(['revision', '1'], ['type', 'source'], ['file', file], ['file', file])),
      fault('createFeedback', form(['message', 'x'], ['screenshot', file], ['screenshots[]', file])),
      fault('createTestRun', form(['run_env[key]', '1'], ['report', file], ['data', '{}'], ['any', file])),
      fault('updateIssues', new URLSearchParams({ ids: '1,2', status: 'resolved' })),
      fault('updateIssues', new URLSearchParams({ 'ids[]': '1', status: 'resolved' })),
      fault('storeEnvelope', blob('application/x-sentry-envelope')),
      fault('createArtifacts', blob('application/zip')),
    ];
    expect(await Promise.all(fits)).toEqual(fits.map(() => null));
  });

  it.each([
    ['a file that is not documented', 'createArtifacts', form(['picture', file])],
    ['a field that is not documented', 'createArtifacts', form(['colour', 'red'], ['file', file])],
    ['text in the place of a file', 'createFeedback', form(['message', 'x'], ['screenshot', 'x'])],
    ['a file in the place of text', 'createFeedback', form(['message', file])],
    ['a required field missing', 'createTeam', new URLSearchParams({ projects: '1' })],
    ['a value of another type', 'updateIssues', new URLSearchParams({ ids: 'one' })],
    ['another media type', 'createArtifacts', blob('text/plain')],
  ])('does not match with %s', async (_what, id, body) => {
    expect(await fault(id, body)).not.toBeNull();
  });
});

async function recordExamples(): Promise<Examples> {
  const { app, world } = workspace;
  const json = async (path: string) => (await app.get(path)).body;
  const [user] = await json('/users?query=u2');
  const run = await json(`/test-runs/${world.testRunId}`);
  const access = { hasAllProjects: true, projectIds: [] };
  await createTeam(app.deps, { name: 'payments', access }, byNamed('test'));
  const proof = await app.postSecret('/domain-verifications', { domain: 'probe-two.com' });
  await app.postSecret('/alert-channels', { type: 'email', name: 'Team', to: 'team@shop.example' });
  const twin = async (name: string): Promise<number> =>
    (await app.post('/store', { message: 'The basket is empty', fingerprint: [name] })).body.issue_id;
  const [split, merged] = [await twin('basket'), await twin('cart')];
  await app.postSecret(`/issues/${split}`, { merge: [merged] });
  const comment = await app.postSecret(`/issues/${split}/comments`, { text: 'Seen in the old shop too.' });
  const { token, post, member: caller } = await openAsMember(app, 'admin');
  const { member } = await openAsMember(app, 'member');
  const bulk = await post('/issues/bulk', { ids: [split], status: 'resolved' });
  const invited = await post('/members', { name: 'Ada', role: 'viewer' });
  const ids: KnownIds = {
    event: world.eventIds[0] ?? '',
    feedback: String(world.feedbackIds.basket),
    user: user.user_hash,
    testCase: run.cases[0].case_id,
    verification: proof.body.id,
    split: String(split),
    member: String(member.id),
    session: String(await openSession(app, member)),
    ownSession: String(await openSession(app, caller)),
    invited: String(invited.body.member_id),
    undo: String(bulk.body.undo_id),
    hash: (await json(`/issues/${split}/hashes`))[0].hash,
    comment: String(comment.body.comment_id),
  };
  const recorded: Record<string, Examples[string]> = {};
  const refused: string[] = [];
  for (const [id, request] of Object.entries(exampleRequests(ids))) {
    const example = await record({ app, token }, id, request);
    if (typeof example === 'string') refused.push(example);
    else recorded[id] = example;
  }
  expect(refused).toEqual([]);
  return JSON.parse(withFixedHex(JSON.stringify(recorded)));
}

/** Ids and hashes are drawn anew each time; each gets the same place holder each time. */
function withFixedHex(text: string): string {
  const names = new Map<string, string>();
  return text.replace(/\b(?:[0-9a-f]{64}|[0-9a-f]{32})\b/g, (hex) => {
    const name = names.get(hex) ?? hash('sha256', String(names.size), 'hex').slice(0, hex.length);
    names.set(hex, name);
    return name;
  });
}

async function record(
  { app, token }: { readonly app: TestApp; readonly token: string },
  id: string,
  request: ExampleRequest,
): Promise<Examples[string] | string> {
  const found = documented.routes.find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  const template = decodeURIComponent(found.pointer.split('/')[2] ?? '').replaceAll('~1', '/');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => request.path?.[name] ?? '');
  const { body, text, query } = request;
  const answer = await fetch(`${app.api}${path}${query === undefined ? '' : `?${query}`}`, {
    method: found.method,
    headers: {
      authorization: `Bearer ${found.operation.security.some((each) => 'personalToken' in each) ? token : app.secretKey}`,
      'x-notifier-key': app.publicKey,
      origin: 'https://shop.example',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined && text === undefined ? {} : { body: text ?? JSON.stringify(body) }),
  });
  const said = await answer.text();
  if (!answer.ok) return `${id} was answered ${answer.status}: ${said}`;
  const named = said
    .replaceAll(app.origin.replaceAll('/', '\\/'), shownOrigin)
    // In a DSN a key stands before it.
    .replaceAll(new URL(app.origin).host, shownHost);
  const shown = shortened(JSON.parse(named));
  return {
    ...(text === undefined && body === undefined ? {} : { request: body ?? text }),
    answers: { [answer.status]: shown },
  };
}

const shownHost = 'notifier.example';
const shownOrigin = `https:\\/\\/${shownHost}`;
const rowsShown = 2;

/** Lists as short as they can be to show their rows. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, rowsShown).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** One line for each part of the schema with a limit, a pattern or a default: `createKey.label maxLength 100`. */
function limitsOf(at: string, schema: Schema): string[] {
  const limits = Object.entries(schema).filter(([name]) =>
    /^(?:exclusive)?(?:min|max)|pattern|default/.test(name),
  );
  const { properties = {}, items, additionalProperties: rest, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...(limits.length === 0
      ? []
      : [`${at} ${limits.map(([name, of]) => `${name} ${JSON.stringify(of)}`).join(', ')}`]),
    ...Object.entries(properties).flatMap(([name, each]) => limitsOf(`${at}.${name}`, each)),
    ...(items === undefined ? [] : limitsOf(`${at}[]`, items)),
    ...(typeof rest === 'object' ? limitsOf(`${at}.*`, rest) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => limitsOf(at, each)),
  ];
}
