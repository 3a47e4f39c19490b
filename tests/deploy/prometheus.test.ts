import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  counterDefinitions,
  gaugeDefinitions,
  histogramDefinitions,
} from '../../src/app/metrics/metric-definitions.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const ours = [counterDefinitions, histogramDefinitions, gaugeDefinitions].flatMap((families) =>
  Object.values(families).map(({ name, labels }): [string, readonly string[]] => [name, labels]),
);
const dashboard = JSON.parse(read('deploy/grafana/notifier.json')) as Dashboard;
const alerts = read('deploy/prometheus/alerts.yml');

interface Dashboard {
  readonly uid: string;
  readonly panels: ReadonlyArray<{
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly targets?: ReadonlyArray<{ readonly expr: string }>;
  }>;
}

const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr]),
);
const alarms = [...alerts.matchAll(/alert: (\w+)\n +expr: (?:>-\n)?([\s\S]*?)\n +for:/g)].map(
  ([, name = '', expr = '']): [string, string] => [name, expr],
);

let app: TestApp;
let text = '';
beforeAll(async () => {
  app = await openTestApp();
  await app.post('/store', { message: 'm' }).expect(201);
  text = await app.metrics();
});
afterAll(() => app.close());

/** Names of metrics in a query: words with a prefix of ours or of Node's. */
function namesIn(expr: string): string[] {
  return expr.match(/\b(?:notifier|nodejs|process)_\w+/g) ?? [];
}

function said(): Set<string> {
  const names = new Set<string>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    names.add(name);
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
  }
  return names;
}

describe('the dashboard', () => {
  it('can be imported: panels have unique ids, and queries', () => {
    expect(dashboard.uid).toBe('notifier');
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, targets } of dashboard.panels) expect(type === 'row').toBe(targets === undefined);
    expect(queries.length).toBeGreaterThan(20);
  });

  it.each(queries)('%s asks for what is there: %s', (_title, expr) => {
    const names = namesIn(expr);
    expect(names).not.toEqual([]);
    for (const name of names) expect([name, said().has(name)]).toEqual([name, true]);
  });

  it('shows every metric of ours', () => {
    const shown = new Set(queries.flatMap(([, expr]) => namesIn(expr)));
    for (const [name] of ours) {
      expect([name, shown.has(name) || shown.has(`${name}_bucket`)]).toEqual([name, true]);
    }
  });
});

describe('the alert rules', () => {
  it('are all read from the file', () => {
    expect(alarms).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
    expect(alarms.length).toBeGreaterThan(5);
  });

  it.each(alarms)('%s asks for what is there: %s', (_name, expr) => {
    for (const name of namesIn(expr)) expect([name, said().has(name)]).toEqual([name, true]);
  });
});

describeWithPrograms('Prometheus itself', ['promtool'], ({ promtool }) => {
  it('accepts the output of /metrics', () => {
    const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    // What it calls problems are names of prom-client's own, which end in _total without being counters.
    const problems = (stdout + stderr).split('\n').filter((line) => line.startsWith('notifier_'));
    expect([problems, status === 0 || status === 3]).toEqual([[], true]);
  });

  it('accepts the alert rules', () => {
    const file = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml');
    const { status, stdout } = spawnSync(promtool ?? '', ['check', 'rules', file], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining(`${alarms.length} rules found`)]);
  });

  it('accepts every query of the dashboard', () => {
    const rules = queries.map(
      ([, expr], at) =>
        `{ record: "q:${at}", expr: ${JSON.stringify(expr.replaceAll('$__rate_interval', '5m'))} }`,
    );
    const folder = temporaryFolder();
    const file = join(folder.path, 'queries.yml');
    writeFileSync(file, `groups: [{ name: dashboard, rules: [${rules.join(',\n')}] }]\n`);
    const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'rules', file], {
      encoding: 'utf8',
    });
    folder.remove();
    expect([stderr, status, stdout]).toEqual([
      '',
      0,
      expect.stringContaining(`${queries.length} rules found`),
    ]);
  });
});
