import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bindMetricsAddress } from '../../../src/app/metrics-endpoint.ts';
import { loadConfig } from '../../../src/core/config/config.ts';
import { type RunningProgram, spawnProgram, startProgram } from '../../support/program.ts';
import { forEachTest } from '../../support/shared.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const metricsOf = (value: string) => loadConfig({ METRICS_PORT: value }, () => '').metrics;

describe('METRICS_PORT', () => {
  it.each([
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['0', { host: '127.0.0.1', port: 0 }],
    ['10.0.0.5:9464', { host: '10.0.0.5', port: 9464 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['metrics.internal:9464', { host: 'metrics.internal', port: 9464 }],
    ['', null],
  ])('accepts %p', (value, address) => {
    expect(metricsOf(value)).toEqual(address);
  });

  it.each(['65536', 'http://127.0.0.1:9464', '127.0.0.1', ':9464', '9464/metrics', '-1', 'a b:1'])(
    'refuses %p',
    (value) => {
      expect(() => metricsOf(value)).toThrow(/^METRICS_PORT must be a port/);
    },
  );
});

describe('a request to METRICS_PORT while the server is starting', () => {
  const address = forEachTest(() => bindMetricsAddress({ host: '127.0.0.1', port: 0 }));

  it('waits, and is answered', async () => {
    const headers = { Expect: '100-continue' };
    const asked = request({ host: '127.0.0.1', port: address.port, path: '/livez', headers });
    const answered = once(asked, 'response');
    asked.flushHeaders();
    // The server has the request by then.
    await once(asked, 'continue');
    address.serve({ '/livez': (_request, response) => void response.sendStatus(200) });
    asked.end();
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });
});

describe('a server with METRICS_PORT', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let program: RunningProgram;
  let port = 0;
  beforeAll(async () => {
    folder = temporaryFolder();
    program = await startProgram({
      DATABASE_URL: `sqlite:${join(folder.path, 'metrics.db')}`,
      METRICS_PORT: '0',
    });
    const said = (): string | undefined =>
      /"port":(\d+),"msg":"metrics are served"/.exec(program.errors())?.[1];
    await until(() => said() !== undefined);
    port = Number(said());
  });
  afterAll(async () => {
    await program.end();
    folder.remove();
  });
  const status = async (path: string, origin = `http://127.0.0.1:${port}`): Promise<number> =>
    (await fetch(`${origin}${path}`)).status;

  it('serves metrics and health there, and nothing else', async () => {
    const paths = ['/metrics', '/livez', '/healthz', '/readyz'];
    expect(await Promise.all(paths.map((path) => status(path)))).toEqual([200, 200, 200, 200]);
    expect(await status('/wp-json/notifier/v1')).toBe(404);
    expect(await status('/')).toBe(404);
  });

  it('serves no metrics on its main port, which keeps the health check', async () => {
    expect(await status('/metrics', program.origin)).toBe(404);
    expect(await status('/livez', program.origin)).toBe(200);
    expect(await status('/healthz', program.origin)).toBe(200);
    expect(await status('/readyz', program.origin)).toBe(200);
  });

  it('does not start where the address is in use, and names it', async () => {
    const second = spawnProgram({
      DATABASE_URL: `sqlite:${join(folder.path, 'second.db')}`,
      METRICS_PORT: String(port),
    });
    expect(await second.ended).toBe(78);
    expect(second.errors()).toMatch(
      new RegExp(
        `^METRICS_PORT is 127\\.0\\.0\\.1:${port}: this program cannot listen there \\(EADDRINUSE\\)\\.`,
        'm',
      ),
    );
  });
});
