// Sends every request to both sides and says how the answers differ. Differences that a decision or a version
// explains are counted by name; they are taken out of both answers, so that whatever else differs still
// shows.
import { openTestApp } from '../../support/app.ts';
import { type Answer, type Exchange, send } from '../exchanges.ts';
import { alike } from './named-differences.ts';
import { recordedRoutes, startOurs } from './ours.ts';
import { pluginSource } from './plugin.ts';
import { type FixtureRequest, fixtureRequests } from './requests.ts';
import { startWordPress } from './site.ts';
import { manners } from './written-requests.ts';

export interface Comparison {
  readonly version: string;
  readonly compared: number;
  /** How often each named difference was met. */
  readonly named: ReadonlyMap<string, number>;
  /** What has no name: one text for each request. */
  readonly unnamed: readonly string[];
}

/** As many as the site has PHP processes. */
const sentAtOnceMax = 3;

/** Sets up both sides, compares, and takes both down again. */
export async function compareWithWordPress(): Promise<Comparison> {
  const app = await openTestApp();
  const keys = { public: app.publicKey, secret: app.secretKey };
  const routes = recordedRoutes(app);
  const site = await startWordPress({ muPlugin: pluginSource(routes, keys) });
  const ours = await startOurs(app, routes, site.origin);
  try {
    const requests = [...manners(keys), ...fixtureRequests(routes, keys)];
    const named = new Map<string, number>();
    const unnamed: string[] = [];
    const left = requests.values();
    const work = async (): Promise<void> => {
      for (const request of left) {
        const theirs = await ask(Number(new URL(site.origin).port), request);
        const found = alike(request, await ask(ours.port, request), theirs);
        for (const name of found.named) named.set(name, (named.get(name) ?? 0) + 1);
        if (found.difference !== null) unnamed.push(`${request.id}\n${found.difference}`);
      }
    };
    await Promise.all(Array.from({ length: sentAtOnceMax }, work));
    return { version: site.version, compared: requests.length, named, unnamed };
  } finally {
    await ours.stop();
    await site.stop();
    await app.close();
  }
}

function ask(port: number, { id, method, path, headers, body }: FixtureRequest): Promise<Answer> {
  const request = { method, path, headers, ...(body === undefined ? {} : { body }) };
  const exchange: Exchange = { id, request, response: { status: 0, headers: [] } };
  return send(port, exchange);
}

/** The lines that a person reads. */
export function report({ version, compared, named, unnamed }: Comparison): string {
  const counts = [...named].map(([name, count]) => `  ${name}: ${count}`);
  return [
    `WordPress ${version}: ${compared} requests, ${unnamed.length} unnamed differences`,
    'named differences, by requests:',
    ...counts,
    ...unnamed,
    '',
  ].join('\n');
}
