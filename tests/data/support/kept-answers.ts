// What a kept database is asked: every address below the namespace that reads, found by following the ids
// that the lists answer. The maker of the fixture and the test that opens it ask the same.
import { createHash } from 'node:crypto';

export const keptKeys = { public: 'kept-public-key-1', secret: 'kept-secret-key-1' };

export interface AddressAnswer {
  readonly path: string;
  readonly status: number;
  readonly total: string | null;
  /** JSON as it was answered, or the SHA-256 of other bytes. */
  readonly body: unknown;
}

/** Each list, and what its entries call their id. */
const lists = [
  ['/issues?orderby=id', 'issue_id'],
  ['/feedback', 'feedback_id'],
  ['/feedback?spam=true', 'feedback_id'],
  ['/domains', 'domain_id'],
  ['/releases', 'release_id'],
  ['/deploys', 'deploy_id'],
  ['/artifacts', 'artifact_id'],
  ['/test-runs', 'test_run_id'],
] as const;

/** Asks every address of a server, and those that no list leads to. `api` ends with the namespace. */
export async function answersOf(api: string, others: readonly string[]): Promise<AddressAnswer[]> {
  const answers: AddressAnswer[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: what is answered is followed as it comes.
  const ask = async (path: string): Promise<any> => {
    const answer = await answerOf(api, path);
    answers.push(answer);
    return answer.body;
  };
  for (const [path, idName] of lists) {
    for (const entry of listed(await ask(path))) {
      const one = `${path.split('?')[0]}/${entry[idName]}`;
      const whole = await ask(one);
      if (path.startsWith('/issues')) {
        for (const { event_id: event } of listed(await ask(`${one}/events`))) {
          for (const [place] of ((await ask(`/events/${event}`)).attachments ?? []).entries()) {
            await ask(`/events/${event}/attachments/${place + 1}`);
          }
        }
      }
      for (const [place] of (whole.screenshots ?? []).entries()) await ask(`${one}/screenshots/${place + 1}`);
      for (const { case_id: known } of (path === '/test-runs' && whole.cases) || []) {
        await ask(`/test-cases/${known}/runs`);
      }
    }
  }
  for (const path of ['/outcomes', ...others]) await ask(path);
  return answers;
}

/** What a list holds; nothing where there is none, as for an issue that was merged into another. */
// biome-ignore lint/suspicious/noExplicitAny: what is answered is followed as it comes.
function listed(body: unknown): any[] {
  return Array.isArray(body) ? body : [];
}

/** Asks one address. */
export async function answerOf(api: string, path: string): Promise<AddressAnswer> {
  const response = await fetch(api + path, { headers: { Authorization: `Bearer ${keptKeys.secret}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    path,
    status: response.status,
    total: response.headers.get('x-wp-total'),
    // The address stands in links and ids; a server that opens the database has another.
    body: isJson
      ? JSON.parse(bytes.toString().replaceAll(new URL(api).origin.replaceAll('/', '\\/'), 'http:\\/\\/kept'))
      : createHash('sha256').update(bytes).digest('hex'),
  };
}
