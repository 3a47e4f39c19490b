import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull, isNightly } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const key = 'slow-public-1';
const secret = 'slow-secret-1';
const largeId = '5'.repeat(32);
const api = '/wp-json/notifier/v1';
/** How often a slow one says one byte more. */
const saysEachMs = 1_000;

interface Kind {
  readonly count: number;
  readonly begins: string;
  readonly goesOn: string;
}

const head = `Host: x\r\nX-Notifier-Key: ${key}\r\nContent-Type: application/json\r\n`;
const kinds: Readonly<Record<string, Kind>> = {
  heads: {
    count: isNightly ? 1_000 : 100,
    begins: `POST ${api}/store HTTP/1.1\r\n${head}X-Long: `,
    goesOn: 'a',
  },
  bodies: {
    count: isNightly ? 900 : 80,
    begins: `POST ${api}/store HTTP/1.1\r\n${head}Content-Length: 5000\r\n\r\n{`,
    goesOn: ' ',
  },
  readers: {
    count: isNightly ? 100 : 20,
    // More than the buffers of both sides hold.
    begins:
      `GET ${api}/events/${largeId} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`.repeat(
        50,
      ),
    goesOn: '',
  },
};

let folder: ReturnType<typeof temporaryFolder>;
let program: RunningProgram;
beforeAll(async () => {
  folder = temporaryFolder();
  program = await startProgram({
    DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
    NOTIFIER_PUBLIC_KEY: key,
    NOTIFIER_SECRET_KEY: secret,
    RATE_LIMIT_SERVER_PER_MINUTE: '1000000',
    RATE_LIMIT_EVENTS_PER_MINUTE: '1000000',
    RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'error',
  });
});
afterAll(async () => {
  await program.end();
  folder.remove();
});

/** Resolves once the server has ended it, with how many milliseconds after it began. */
function slowClient({ begins, goesOn }: Kind, index: number): Promise<number> {
  const port = Number(new URL(program.origin).port);
  const localAddress = `127.8.1.${(index % 40) + 1}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const beganAt = performance.now();
  socket.write(begins);
  let says: NodeJS.Timeout | undefined;
  if (goesOn === '') {
    // Nothing is read; that it was closed shows when it is written to, which is no sign of reading.
    socket.pause();
    says = setInterval(() => socket.write('\r\n'), saysEachMs);
  } else {
    socket.resume();
    says = setInterval(() => socket.write(goesOn), saysEachMs);
  }
  return new Promise((resolve) => {
    const over = (): void => {
      clearInterval(says);
      resolve(performance.now() - beganAt);
      socket.destroy();
    };
    socket.once('end', over).once('error', over).once('close', over);
  });
}

interface Asked {
  readonly status: number;
  readonly ms: number;
}

async function send(event: object): Promise<Asked> {
  const beganAt = performance.now();
  const { status } = await fetch(`${program.origin}${api}/store`, {
    method: 'POST',
    headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  });
  return { status, ms: performance.now() - beganAt };
}

function largeEvent(): object {
  const breadcrumbs = Array.from({ length: 100 }, (_, index) => ({
    message: `${index} ${'m'.repeat(2_000)}`,
  }));
  return { event_id: largeId, message: 'large', breadcrumbs };
}

const describeOnLinux = process.platform === 'linux' ? inFull(describe) : describe.skip;

describeOnLinux('clients that are slow to send or to read', () => {
  it('are closed at their limits, and take nothing from honest ones', async () => {
    expect(await send(largeEvent())).toHaveStatus(201);
    let open = 0;
    const said: string[] = [];
    const all = Object.entries(kinds).map(async ([name, kind]) => {
      open += kind.count;
      const ended = await Promise.all(
        Array.from({ length: kind.count }, async (_, index) => {
          const ms = await slowClient(kind, index);
          open -= 1;
          return ms;
        }),
      );
      const [first, last] = [Math.min(...ended), Math.max(...ended)];
      said.push(
        `${kind.count} ${name} ended after ${(first / 1e3).toFixed(1)} to ${(last / 1e3).toFixed(1)} s`,
      );
    });
    const honest: Asked[] = [];
    await until(async () => {
      honest.push(await send({ message: 'honest', platform: 'node' }));
      return open === 0;
    });
    await Promise.all(all);
    const times = honest.map(({ ms }) => ms).sort((one, other) => one - other);
    process.stderr.write(
      `F9: ${said.join(', ')}; ${honest.length} honest events beside them, p99 ${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(0)} ms\n`,
    );
    expect(honest.filter(({ status }) => status !== 201)).toEqual([]);
  });
});
