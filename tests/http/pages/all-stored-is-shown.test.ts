import { describe, expect, it } from '@jest/globals';
import { parse } from 'parse5';
import { eachReleaseText } from '../../../schemas/releases.ts';
import { pngOf } from '../../support/images.ts';
import { shared } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { smallMapText, upload } from '../../support/uploads.ts';
import { openWorkspace } from '../../support/workspace.ts';

const workspace = shared(() => openWorkspace());

type Leaf = readonly [path: string, text: string];
type Otherwise = ReadonlyArray<readonly [path: RegExp, why: string]>;

const moments = [/(?:^|\.)(?:date_\w+|\w+_at)$/, 'a moment is told in words, exactly in its title'] as const;
const links = [
  /(?:^|_)(?:id|url)s?$/,
  'a number or an address of the API: the page has links of its own',
] as const;

function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'string') return value === '' ? [] : [[path, value]];
  if (typeof value === 'number') return value < 10 ? [] : [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    leaves(each, path === '' ? name : `${path}.${name}`),
  );
}

async function textOf(path: string): Promise<string> {
  const answer = await workspace.admin.get(path);
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
  const texts: string[] = [];
  const walk = (node: object): void => {
    const { value, attrs, childNodes } = node as {
      value?: string;
      attrs?: Array<{ name: string; value: string }>;
      childNodes?: object[];
    };
    if (value !== undefined) texts.push(value);
    for (const attribute of attrs ?? []) {
      if (['value', 'title', 'datetime', 'href'].includes(attribute.name)) texts.push(attribute.value);
    }
    for (const child of childNodes ?? []) walk(child);
  };
  walk(parse(answer.text));
  return texts.join('');
}

/** What of a thing is not on its page, and neither among what is told otherwise. */
async function missing(thing: unknown, path: string, otherwise: Otherwise): Promise<Leaf[]> {
  const page = await textOf(path);
  const all = leaves(thing);
  expect(all.length).toBeGreaterThan(3);
  return all.filter(
    ([at, text]) =>
      !page.includes(text) && !page.includes(count(text)) && !otherwise.some(([shown]) => shown.test(at)),
  );
}

function count(text: string): string {
  return /^\d+$/.test(text) ? Number(text).toLocaleString('en-US') : text;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as it comes.
async function made(answer: PromiseLike<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await answer;
  if (status !== 200 && status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

describe('everything stored is shown on a page', () => {
  it('of a release: its reference, commits with their files, refs and metadata; and of its deploys', async () => {
    const { app } = workspace;
    const release = await made(
      app.postSecret('/releases', {
        version: 'whole@3.1.0',
        ...eachReleaseText((name, isUrl) => (isUrl ? `https://release.example/${name}` : `the ${name}`)),
        date_started: '2026-11-20T10:00:00Z',
        date_released: '2026-11-20T11:00:00Z',
        commits: [
          {
            id: 'c0ffee5',
            repository: 'commit-repository',
            message: 'commit-title\n\ncommit-body',
            author_name: 'commit-author',
            author_email: 'author@mail.example',
            timestamp: '2026-11-20T09:00:00Z',
            patch_set: [
              { path: 'path/added.ts', type: 'A' },
              { path: 'path/removed.ts', type: 'D' },
            ],
          },
        ],
        refs: [{ repository: 'ref-repository', commit: 'ref-commit', previous_commit: 'ref-previous' }],
        metadata: { 'meta-name': 'meta-text', 'meta-number': 71_001 },
      }),
    );
    await made(
      app.postSecret('/deploys', {
        version: 'whole@3.1.0',
        environment: 'deploy-environment',
        name: 'deploy-name',
        url: 'https://deploy.example/run',
        status: 'failure',
        date_started: '2026-11-20T11:10:00Z',
        date_finished: '2026-11-20T11:20:00Z',
        revision: 'deploy-revision',
        repository: 'deploy-repository',
        deployed_by: 'deploy-person',
        comment: 'deploy-note',
        key: 'deploy-key',
      }),
    );
    const path = `/releases/${release.release_id}`;
    const view = (await app.get(path)).body;
    expect(Object.keys(view).filter((name) => view[name] === null)).toEqual([]);
    const deploys = (await app.get(`/deploys?release_id=${release.release_id}`)).body;
    expect(deploys).toHaveLength(1);
    const otherwise: Otherwise = [
      moments,
      [/_id$/, 'a link'],
      [/^commits\.\d+\.(?:timestamp|author_email)$/, 'a moment in words; the address of a person'],
      [/^commits\.\d+\.message$/, 'its first line, and the rest of it'],
      [/^commits\.\d+\.patch_set\.\d+\.type$/, 'in a word'],
      [/^status$/, 'open is the usual; the state of a deploy is a mark'],
    ];
    expect(await missing(view, path, otherwise)).toEqual([]);
    expect(await missing(deploys[0], path, otherwise)).toEqual([]);
    const page = await textOf(path);
    for (const text of ['commit-title', 'commit-body', 'added', 'removed', '20 Nov 2026, 11:20:00 UTC']) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('author@mail.example');
  });

  it('of a test run: its environment, build, tags, metadata and each upload', async () => {
    const { app } = workspace;
    const run = await made(
      app.postSecret('/test-runs', {
        format: 'ctrf',
        report: {
          results: {
            tool: { name: 'report-tool' },
            summary: {
              tests: 40,
              passed: 41,
              failed: 42,
              skipped: 43,
              pending: 44,
              other: 45,
              start: 0,
              stop: 90,
            },
            tests: [{ name: 'one-case', status: 'failed', duration: 12, message: 'case-message' }],
          },
        },
        release: 'run-release',
        environment: 'run-environment',
        commit: 'run-commit',
        branch: 'run-branch',
        repository: 'run-repository',
        suite: 'run-suite',
        tool: 'run-tool',
        run_key: 'run-key',
        shard: 'run-shard',
        build: { id: 'build-id', number: 'build-number', url: 'https://ci.example/run', name: 'build-name' },
        ci: 'run-ci',
        started_at: '2026-11-20T11:10:00Z',
        finished_at: '2026-11-20T11:20:00Z',
        exit_code: 17,
        tags: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`tag-${at}`, `tag-text-${at}`])),
        metadata: { 'meta-name': 'meta-text', 'meta-number': 71_002 },
      }),
    );
    const path = `/test-runs/${run.test_run_id}`;
    const { results: _cases, ...whole } = (await app.get(path)).body;
    const otherwise: Otherwise = [
      moments,
      [/(?:^|\.)(?:status|duration_ms|test_run_id)$/, 'a mark; a length in words; the number in the title'],
      [/\.warnings\.\d+\.code$/, 'told in a sentence'],
      [/^(?:cases|tests)\./, 'cases have pages of their own'],
    ];
    expect(JSON.stringify(whole)).toContain('tag-text-19');
    expect(await missing(whole, path, otherwise)).toEqual([]);
    expect(await textOf(path)).toContain('20 Nov 2026, 11:20:00 UTC');
  });

  it('of an artifact', async () => {
    const { app } = workspace;
    const form = new FormData();
    form.set('release', 'artifact-release');
    form.set('dist', 'artifact-dist');
    form.set('file', new Blob([smallMapText]), 'artifact-name.js.map');
    await made(upload(app, form));
    const [artifact] = (await app.get('/artifacts?release=artifact-release')).body;
    const otherwise: Otherwise = [moments, [/^type$/, 'in words'], [/^size$/, 'in its unit']];
    expect(await missing(artifact, `/artifacts/${artifact.artifact_id}`, otherwise)).toEqual([]);
  });

  it('of a domain and its verification', async () => {
    const { app } = workspace;
    const switches = {
      bug_reports: true,
      errors: false,
      sampling: 0.37,
      allowed_origins: ['https://origin.example'],
    };
    const domain = await made(app.postSecret('/domains', { domain: 'whole.example.com', ...switches }));
    const asked = { domain: 'whole.example.com', label: 'proof-label', scope: 'host' };
    const proof = await made(app.postSecret('/domain-verifications', asked));
    const path = `/domains/${domain.domain_id}`;
    const otherwise: Otherwise = [
      moments,
      [/^(?:status|method|scope|apex)$/, 'in words'],
      [/^challenges\.\d+\.type$/, 'the name of a way'],
    ];
    expect(await missing({ ...domain, sampling: 37 }, path, otherwise)).toEqual([]);
    expect(await missing(proof, path, otherwise)).toEqual([]);
  });

  it('of a bug report: all but its author, in the JSON as well', async () => {
    const { app, admin, viewer } = workspace;
    const picture = { data: pngOf(40, 30).toString('base64'), name: 'picture-name.png' };
    const sent = {
      message: 'report-message',
      name: 'reporter@name.example',
      email: 'reporter@mail.example',
      url: 'https://shop.example/report-page',
      category: 'idea',
      severity: 'high',
      release: 'report-release',
      environment: 'report-environment',
      user_agent: 'report-agent/1.0',
      locale: 'en-IE',
      viewport: { width: 1536, height: 864, dpr: 1.25 },
      console: [{ level: 'error', message: 'console-message', timestamp: 1_795_000_000 }],
      tags: { 'tag-name': 'tag-text' },
      metadata: { 'meta-name': 'meta-text' },
      screenshots: [picture],
    };
    const headers = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
    const { feedback_id: id } = await made(app.post('/feedback', sent, headers));
    const path = `/feedback/${id}`;
    const otherwise: Otherwise = [
      moments,
      [/^(?:name|email)$/, 'behind their beginning, until somebody asks'],
      [/^(?:source|state)$/, 'in words'],
      [/^screenshots\.\d+\.(?:url|content_type|size)$/, 'the picture itself; its size in its unit'],
      [/^viewport\.dpr$/, 'the window is told in its own points'],
    ];
    expect(await missing((await app.get(path)).body, path, otherwise)).toEqual([]);
    for (const text of [
      await textOf(path),
      JSON.stringify(await viewer.json(path)),
      JSON.stringify(await admin.json(path)),
    ]) {
      expect(text).not.toContain('reporter@');
    }
  });

  it('of the SDKs', async () => {
    const { app } = workspace;
    const headers = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
    const sdk = { name: 'whole.sdk', version: '9.8.7' };
    const { stats } = await made(app.post('/sdk-verify', { sdk, url: 'https://shop.example/' }, headers));
    const otherwise: Otherwise = [moments, links, [/^hours\./, 'drawn, a bar an hour']];
    const { hours, ...figures } = stats;
    expect(hours.length).toBeGreaterThan(0);
    expect(
      await missing(
        { ...figures, name: sdk.name, version: sdk.version, a: 'a', b: 'b' },
        '/projects/1',
        otherwise,
      ),
    ).toEqual([]);
  });

  inFull(it)('of an event: its JSON names nobody that its page does not name', async () => {
    const { app, admin } = workspace;
    const user = {
      id: 'user-of-the-whole',
      username: 'whole-username',
      email: 'whole@mail.example',
      name: 'Whole Name',
    };
    const event = await made(app.post('/store', { message: 'of a user', user }));
    const path = `/issues/${event.issue_id}/events/${event.event_id}`;
    const twin = JSON.stringify(await admin.json(path));
    const latest = JSON.stringify(await admin.json(`/issues/${event.issue_id}`));
    const page = await textOf(path);
    for (const name of Object.values(user)) {
      for (const text of [twin, latest, page]) expect(text).not.toContain(name);
    }
    expect(twin).toContain('w…@mail.example');
    // What is taken away is what the API answers.
    expect((await admin.get(`${path}/download`)).text).toContain('whole-username');
  });
});
