// What `npm start` prints: where it listens, what it serves, and on the first start everything needed to send an event.
import { baseUrlOf, namespaceUrl } from './cli/addresses.ts';
import type { Deps } from './core/deps.ts';
import type { FirstRun } from './core/first-run.ts';
import { dsnOf } from './core/keys.ts';

/** The text of a start. Keys appear on the first start only; `port` is the one that was bound. */
export async function startBanner(
  deps: Deps,
  port: number,
  firstRun: FirstRun | null,
  adminToken: string | null,
): Promise<string> {
  const base = baseUrlOf(deps.config, port);
  const api = namespaceUrl(deps.config, port);
  const lines = [
    '',
    `Notifier is listening at ${base}`,
    `  API        ${api}`,
    `  Database   ${shownDatabase(deps.config.databaseUrl)}`,
  ];
  if (firstRun === null) lines.push(`  Serving    ${await projectLine(deps)}`);
  else lines.push(...firstStart(deps, base, api, firstRun));
  if (adminToken !== null) {
    lines.push(
      '',
      `  Workspace token   ${adminToken}   (shown this once; a new one: npm run notifier -- token rotate)`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

function firstStart(deps: Deps, base: string, api: string, firstRun: FirstRun): string[] {
  const { project, publicKey, secretKey } = firstRun;
  const dsn = dsnOf(base, deps.config.wpPath, publicKey, project.id);
  const shownSecret = deps.config.secretKey === null ? secretKey : 'as configured in NOTIFIER_SECRET_KEY';
  const once =
    deps.config.secretKey === null
      ? '   (shown this once; a new one: npm run notifier -- key rotate ID)'
      : '';
  return [
    `  Project    ${project.id} "${project.name}", made just now`,
    '',
    `  Public key        ${publicKey}`,
    `  Secret key        ${shownSecret}${once}`,
    `  Sentry DSN        ${dsn ?? 'none, because a key with "-" cannot stand in one'}`,
    '',
    '  Send a first error:',
    '',
    `    curl -X POST ${api}/store -H 'Content-Type: application/json' -H 'X-Notifier-Key: ${publicKey}' -d '{"message":"Hello from curl","platform":"other"}'`,
    '',
    '  See its issue:    npm run notifier -- issue list',
  ];
}

async function projectLine(deps: Deps): Promise<string> {
  const projects = await deps.store.listProjects();
  const [first, ...others] = projects;
  if (first === undefined) return 'no project';
  if (others.length > 0) return `${projects.length} projects (npm run notifier -- project list)`;
  return `project ${first.id} "${first.name}" (keys: npm run notifier -- key list)`;
}

/** A database's address without its password. */
function shownDatabase(url: string): string {
  if (url.startsWith('sqlite:')) return url;
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '…';
  return shown.href;
}
