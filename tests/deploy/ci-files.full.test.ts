// The steps of deploy/ci/github/action.yml, run by a shell as a runner would, against a stand-in of GitHub's API.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

const files = resolve(import.meta.dirname, '../../deploy/ci');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: ReadonlyArray<{
      readonly id: string;
      readonly run: string;
      readonly env: Readonly<Record<string, string>>;
    }>;
  };
}

interface Finished {
  readonly code: number;
  readonly output: string;
}

interface Comment {
  readonly id: number;
  body: string;
}

/** Comments of pull request 7, as GitHub's API keeps them. */
function startGithub(comments: Comment[], requests: string[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = request.url ?? '';
    requests.push(`${request.method} ${url.split('?')[0]}`);
    const sent = chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString());
    const found = comments.find(({ id }) => url === `/repos/acme/shop/issues/comments/${id}`);
    const isList = url.startsWith('/repos/acme/shop/issues/7/comments');
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== 'Bearer github-token') return answer(403, {});
    if (request.method === 'GET' && isList) return answer(200, comments);
    if (request.method === 'POST' && isList) {
      comments.push({ id: comments.length + 1, body: sent.body });
      return answer(201, {});
    }
    if (request.method !== 'PATCH' || found === undefined) return answer(404, {});
    // The first comment is somebody else's.
    if (found.id === 1) return answer(403, {});
    found.body = sent.body;
    return answer(200, {});
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

describeWithPrograms('deploy/ci', ['bash', 'curl', 'python3'], (programs) => {
  const action: Action = parse(readFileSync(join(files, 'github/action.yml'), 'utf8'));
  const comments: Comment[] = [];
  const requests: string[] = [];
  let app: TestApp;
  let github: Server;
  let folder: string;
  let ciKey: string;
  beforeAll(async () => {
    app = await openTestApp();
    const { createKey } = await import('../../src/core/projects/keys.ts');
    ciKey = (await createKey(app.deps, app.project.id, 'secret', { scopes: ['ci'] })).text;
    github = await startGithub(comments, requests);
    folder = mkdtempSync(join(tmpdir(), 'notifier-action-'));
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/app.js'), 'a();\n//# sourceMappingURL=app.js.map\n');
    const map = { version: 3, sources: ['a.ts'], sourcesContent: ['a();'], names: [], mappings: 'AAAA' };
    writeFileSync(join(folder, 'dist/app.js.map'), JSON.stringify(map));
  });
  afterAll(async () => {
    await app.close();
    github.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function writeReport(cases: Readonly<Record<string, 'passed' | 'failed'>>): void {
    const lines = Object.entries(cases).map(([name, result]) => {
      const failure = result === 'failed' ? '<failure message="no"/>' : '';
      return `<testcase name="${name}" classname="cart" file="cart.test.ts">${failure}</testcase>`;
    });
    writeFileSync(join(folder, 'junit.xml'), `<testsuite name="unit">${lines.join('')}</testsuite>`);
  }

  function run(script: string, env: Readonly<Record<string, string>>): Promise<Finished> {
    const all = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, ...env };
    return new Promise((done) => {
      execFile(
        programs['bash'] ?? 'bash',
        ['-e', '-o', 'pipefail', '-c', script],
        { cwd: folder, env: all, timeout: 600_000 },
        (error, stdout, stderr) => done({ code: error === null ? 0 : 1, output: stdout + stderr }),
      );
    });
  }

  /** As a runner does it: expressions are replaced, and outputs are read from a file. */
  async function runAction(
    given: Readonly<Record<string, string>>,
    {
      sha,
      branch,
      pullRequest,
    }: { readonly sha: string; readonly branch: string; readonly pullRequest: string },
  ): Promise<Finished & { readonly outputs: Readonly<Record<string, string>> }> {
    const outputFile = join(folder, 'output');
    writeFileSync(outputFile, '');
    const known: Record<string, string> = {
      'github.event.pull_request.head.sha || github.sha': sha,
      'github.head_ref || github.ref_name': branch,
      'github.event.pull_request.number': pullRequest,
      'github.repository': 'acme/shop',
      'github.server_url': 'https://github.com',
      'github.run_id': `run-${sha}`,
      'github.run_attempt': '1',
      'github.token': 'github-token',
    };
    const outputs: Record<string, string> = {};
    const replaceIn = (text: string): string =>
      text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
        const [, input] = /^inputs\.(.+)$/.exec(expression) ?? [];
        if (input !== undefined) return given[input] ?? replaceIn(action.inputs[input]?.default ?? '');
        const [, output] = /^steps\.report\.outputs\.(.+)$/.exec(expression) ?? [];
        const value = output === undefined ? known[expression] : (outputs[output] ?? '');
        if (value === undefined) throw new Error(`unknown expression: ${expression}`);
        return value;
      });
    const { port } = github.address() as AddressInfo;
    const runner = {
      GITHUB_ACTION_PATH: join(files, 'github'),
      GITHUB_OUTPUT: outputFile,
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
    };
    let said = '';
    for (const step of action.runs.steps) {
      const env = Object.entries(step.env).map(([name, value]) => [name, replaceIn(value)]);
      const { code, output } = await run(step.run, { ...Object.fromEntries(env), ...runner });
      said += output;
      for (const line of readFileSync(outputFile, 'utf8').split('\n')) {
        const [name = '', ...value] = line.split('=');
        outputs[name] = value.join('=');
      }
      if (code !== 0) return { code, output: said, outputs };
    }
    return { code: 0, output: said, outputs };
  }

  const inputs = () => ({ url: app.api, 'secret-key': ciKey, reports: '*.xml', 'exit-code': '1' });
  const topic = { branch: 'topic', pullRequest: '7' };

  it('comments on a pull request with its new failure, once', async () => {
    writeReport({ old: 'failed', '`evil` @acme': 'passed', good: 'passed' });
    const main = await runAction(inputs(), { sha: 'a1', branch: 'main', pullRequest: '' });
    expect([main.code, main.outputs['verdict'], requests]).toEqual([0, 'fail', []]);

    comments.push({ id: 1, body: '<!-- notifier-verdict --> copied by somebody' });
    writeReport({ old: 'failed', '`evil` @acme': 'failed', good: 'passed' });
    const withMaps = { ...inputs(), 'source-maps': 'dist' };
    const first = await runAction(withMaps, { sha: 'b1', ...topic });
    expect([first.code, first.outputs['verdict']]).toEqual([0, 'fail']);
    expect(comments).toHaveLength(2);
    expect(comments[1]?.body).toBe(
      [
        '<!-- notifier-verdict -->',
        '### Notifier: fail',
        '',
        'Release `b1`',
        '',
        '- 2 of 3 tests failed.',
        '',
        '**New failures**',
        '',
        '- `` `evil` @acme `` in `cart.test.ts`, `unit`',
        '',
        '**Failures that other branches have too**',
        '',
        '- `old` in `cart.test.ts`, `unit`',
        '',
      ].join('\n'),
    );
    const artifacts = (await app.get('/artifacts?release=b1')).body;
    expect(artifacts.map(({ name }: { name: string }) => name).sort()).toEqual([
      expect.stringContaining('app.js'),
      expect.stringContaining('app.js.map'),
    ]);

    writeReport({ old: 'passed', '`evil` @acme': 'passed', good: 'passed' });
    const second = await runAction({ ...inputs(), 'exit-code': '0' }, { sha: 'b2', ...topic });
    expect([second.code, second.outputs['verdict']]).toEqual([0, 'pass']);
    expect(comments).toHaveLength(2);
    expect(comments[1]?.body).toContain('Notifier: pass');
    expect(first.output + second.output).not.toContain(ciKey);
  });

  it('fails the step on the verdict only if asked', async () => {
    writeReport({ old: 'failed' });
    const strict = { ...inputs(), 'fail-on-verdict': 'true' };
    expect((await runAction(strict, { sha: 'c1', ...topic })).code).toBe(1);
    writeReport({ old: 'passed' });
    expect((await runAction({ ...strict, 'exit-code': '0' }, { sha: 'c2', ...topic })).code).toBe(0);
  });

  it('sends nothing without a key, and goes on where the comment is refused', async () => {
    const fork = await runAction({ ...inputs(), 'secret-key': '' }, { sha: 'd1', ...topic });
    expect([fork.code, fork.outputs['release-id']]).toEqual([0, undefined]);
    expect((await app.get('/releases?version=d1')).body).toEqual([]);
    writeReport({ old: 'failed' });
    const refused = await runAction({ ...inputs(), 'github-token': 'other' }, { sha: 'd2', ...topic });
    expect([refused.code, refused.output]).toEqual([0, expect.stringContaining('::warning::')]);
    const wrong = await runAction({ ...inputs(), 'secret-key': 'ntf_sk_wrong' }, { sha: 'd3', ...topic });
    expect(wrong.code).toBe(1);
  });

  it('runs the script lines of the GitLab template', async () => {
    const template = parse(readFileSync(join(files, 'gitlab.yml'), 'utf8'))['.notifier'];
    writeReport({ old: 'failed' });
    const gitlab: Record<string, string> = {
      CI_COMMIT_SHA: 'e1',
      CI_COMMIT_REF_NAME: 'topic',
      CI_PROJECT_PATH: 'acme/shop',
      CI_PIPELINE_URL: 'https://gitlab.example/acme/shop/-/pipelines/1',
      CI_PIPELINE_ID: '1',
    };
    const variables = Object.entries<string>(template.variables).map(([name, value]) => [
      name,
      gitlab[value.replace('$', '')] ?? value,
    ]);
    const { code, output } = await run(template.script.join('\n'), {
      ...Object.fromEntries(variables),
      NOTIFIER_FILES: files,
      NOTIFIER_FAIL_ON_VERDICT: 'true',
      NOTIFIER_URL: app.api,
      NOTIFIER_SECRET_KEY: ciKey,
      NOTIFIER_REPORTS: 'junit.xml',
    });
    expect([code, output]).toEqual([1, expect.stringContaining('Verdict: fail')]);
  });
});
