import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startProgram } from '../support/program.ts';
import { shared } from '../support/shared.ts';
import { nightlyOrFull } from '../support/test-level.ts';

const program = shared(() =>
  startProgram({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'debug', RATE_LIMITS: 'off' }),
);

async function send(bytes: string): Promise<void> {
  const { port } = new URL(program.origin);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.end(Buffer.from(bytes, 'latin1'));
  await once(socket, 'close');
}

const nasty = fc
  .array(
    fc.constantFrom(
      '"',
      '\\',
      '\u001b[2J',
      '\u0007',
      '\u009b',
      '\u2028',
      '\r',
      '\n',
      '{"level":60}',
      '%0a',
      '\u00ff',
      'a',
      '/',
      '?',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

it('24: every line is JSON after a fuzz, without a control character', async () => {
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, nasty, async (path, name, value, body) => {
      const head = `POST /wp-json/notifier/v1/store/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
      await send(`${head}X-Notifier-Key: ${name}\r\nX-Request-Id: ${value}\r\ntraceparent: ${value}\r\n\r\n`);
      await send(`${name} / HTTP/1.1\r\n${value}: x\r\n\r\n`);
      await send(`${head}Authorization: Bearer ${value}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    }),
    { numRuns: nightlyOrFull(150, 40) },
  );
  const lines = program.errors().split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), msg: expect.any(String) });
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
  process.stderr.write(`F12: ${lines.length} lines of the log after a fuzz, each of them JSON\n`);
});
