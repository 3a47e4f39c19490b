// The document, by the tools that people use: Redocly's linter, and a client that openapi-typescript makes.
// They are fetched from npm into a temporary folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OperationObject } from '../../../schemas/openapi.ts';
import { sharedApp } from '../../support/shared.ts';

const app = sharedApp();
const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
let paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;

beforeAll(async () => {
  const answer = await fetch(`${app.api}/openapi.json`);
  const text = await answer.text();
  ({ paths } = JSON.parse(text));
  writeFileSync(join(folder, 'openapi.json'), text);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const packages = ['@redocly/cli@2', 'openapi-typescript@7', 'typescript@5'];
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], options);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, ...words: string[]): string {
  try {
    return execFileSync(process.execPath, [join('node_modules', program), ...words], options);
  } catch (error) {
    return `${(error as { stdout?: string }).stdout}`;
  }
}

it('has no error for redocly lint', () => {
  const said = JSON.parse(run('@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--format=json'));
  expect(said.problems.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([]);
});

it('makes a client for which the examples have the right types', () => {
  run('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'client.ts');
  const lines = ["import type { operations } from './client.ts';"];
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const of = `operations['${operation.operationId}']`;
    const say = (type: string, value: unknown) =>
      lines.push(
        `export const value${lines.length}: ${type}['content']['application/json'] = ${JSON.stringify(value)};`,
      );
    const request = operation.requestBody?.content['application/json']?.example;
    if (request !== undefined) say(`NonNullable<${of}['requestBody']>`, request);
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const example = content?.['application/json']?.example;
      if (example !== undefined) say(`${of}['responses'][${status}]`, example);
    }
  }
  writeFileSync(join(folder, 'examples.ts'), lines.join('\n'));
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
    '--target',
    'es2022',
  ];
  expect(lines.length).toBeGreaterThan(100);
  expect(
    run('typescript/bin/tsc', ...flags, '--moduleResolution', 'bundler', '--module', 'esnext', 'examples.ts'),
  ).toBe('');
});
