import { Agent, type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startProgram } from '../support/program.ts';
import { shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { nightlyOrFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const key = 'drain-public-1';
const rounds = nightlyOrFull(5, 1);
const folder = shared(() => temporaryFolder());

/** What became of a request: answered, refused because nobody listens any more, or cut. */
type Outcome = 'answered' | 'not listening' | 'cut';

function send(origin: string, agent: Agent): Promise<Outcome> {
  const body = JSON.stringify({ message: 'drained' });
  return new Promise((resolve) => {
    const sent: ClientRequest = request(
      `${origin}/wp-json/notifier/v1/store`,
      { agent, method: 'POST', headers: { 'X-Notifier-Key': key, 'Content-Length': body.length } },
      (response) => {
        response.resume();
        response.once('end', () => resolve('answered'));
        response.once('error', () => resolve('cut'));
      },
    );
    sent.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'not listening' : 'cut'),
    );
    sent.end(body);
  });
}

describe('SIGTERM under load', () => {
  it('cuts no request on a connection that is used again', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const program = await startProgram({
        DATABASE_URL: `sqlite:${join(folder.path, `${round}.db`)}`,
        NOTIFIER_PUBLIC_KEY: key,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'error',
      });
      const outcomes: Outcome[] = [];
      let isOver = false;
      const client = async (lane: number): Promise<void> => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        while (!isOver) {
          const outcome = await send(program.origin, agent);
          outcomes.push(outcome);
          if (outcome !== 'answered') break;
          await new Promise((resolve) => setTimeout(resolve, lane % 4));
        }
        agent.destroy();
      };
      const clients = Array.from({ length: 24 }, (_, lane) => client(lane));
      await until(() => outcomes.length >= 200);
      expect(await program.end('SIGTERM')).toBe(0);
      isOver = true;
      await Promise.all(clients);
      expect(outcomes.filter((outcome) => outcome === 'cut')).toEqual([]);
    }
  });
});
