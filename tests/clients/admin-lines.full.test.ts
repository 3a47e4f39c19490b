// The curl lines of docs/monitors.md, docs/incidents.md and docs/alerts.md that create something with a secret
// key, run as they are written there by a real shell and a real curl.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { sharedApp } from '../support/shared.ts';

const docs = resolve(import.meta.dirname, '../../docs');
const address = 'http://127.0.0.1:8787/wp-json/notifier/v1';
const scripts = ['monitors', 'incidents', 'alerts'].flatMap((name) => {
  const page = readFileSync(join(docs, `${name}.md`), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((found) => found[1] ?? '');
  return blocks.filter((block) => block.includes(`${address}/`));
});

describeWithPrograms('documented commands with a secret key', ['curl', 'bash'], ({ bash = 'bash' }) => {
  const app = sharedApp({ nowMs: Date.UTC(2026, 10, 28, 12) });

  it('are all accepted', async () => {
    const env = { PATH: process.env['PATH'] ?? '', NOTIFIER_SECRET_KEY: app.secretKey };
    const made: string[] = [];
    for (const script of scripts) {
      const { stdout } = await promisify(execFile)(bash, ['-c', script.replace(address, app.api)], { env });
      expect([script, stdout.slice(0, 16)]).toEqual([script, '{"accepted":true']);
      made.push(/"(\w+)_id":/.exec(stdout)?.[1] ?? '');
    }
    expect(made).toEqual([
      'monitor',
      'maintenance_window',
      'incident',
      'status_page',
      'alert_channel',
      'report',
    ]);
  });
});
