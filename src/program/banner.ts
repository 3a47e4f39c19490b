// What `npm start` prints: where it listens, what it serves, and on the first start everything needed to send
// an event.
import { dsnsOf, hasTwoForms, listeningOrigin, namespaceUrl, pagesUrlOf } from '../core/config/addresses.ts';
import type { Config } from '../core/config/config.ts';
import { maskedUrl } from '../core/config/values.ts';
import { linkAddress } from '../core/members/links.ts';
import type { Settled } from '../core/projects/first-run.ts';

/**
 * The text of a start. Keys appear when they were made just now, and only then; `port` is the one that was
 * bound.
 */
export function startBanner(config: Config, port: number, settled: Settled): string {
  const lines = [
    '',
    `Notifier is listening at ${listeningOrigin(config, port)}${isEverywhere(config.host) ? ` (and at every other address of this machine)` : ''}`,
    ...(config.baseUrl === null ? [] : [`  Public     ${config.baseUrl}${config.wpPath}`]),
    `  API        ${namespaceUrl(config, port)}`,
    `  Database   ${maskedUrl(config.databaseUrl)}`,
    ...(config.demo ? [`  Demo       ${pagesUrlOf(config, port)}/demo   (mock data, for anybody)`] : []),
    ...(settled.isNew ? firstStart(config, port, settled) : [`  Serving    ${projectLine(settled)}`]),
    ...(settled.added.length === 0 ? [] : [`  Added      ${settled.added.join(', ')}, from the settings`]),
  ];
  if (settled.adminToken !== null) {
    lines.push(
      '',
      `  Workspace token   ${settled.adminToken}   (shown this once; a new one: npm run notifier -- token rotate)`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/**
 * How people come in to the workspace: the one-time link alone on a line, to be clicked; without one the page
 * that takes the token. `port` is the one that was bound.
 */
export function signInLines(config: Config, port: number, linkToken: string | null): string {
  const pagesUrl = pagesUrlOf(config, port);
  if (linkToken === null) {
    return `  Workspace  ${pagesUrl}/sign-in   (with the workspace token, or a link: npm run notifier -- member link NAME)\n\n`;
  }
  return `  Sign in to the workspace from this machine, once, within 15 minutes:\n\n${linkAddress(pagesUrl, linkToken)}\n\n`;
}

function firstStart(config: Config, port: number, settled: Settled): string[] {
  const { project, publicKey, secretKey } = settled;
  if (project === null || publicKey === null) return [];
  const dsns = dsnsOf(config, publicKey, project.id, port);
  const shownSecret =
    secretKey === null
      ? 'as configured in NOTIFIER_SECRET_KEY'
      : `${secretKey}   (shown this once; a new one: npm run notifier -- key rotate ID)`;
  return [
    `  Project    ${project.id} "${project.name}", made just now`,
    '',
    `  Public key        ${publicKey}`,
    `  Secret key        ${shownSecret}`,
    `  Sentry DSN        ${dsns?.dsn ?? 'none, because a key with "-" cannot stand in one'}`,
    ...(hasTwoForms(dsns) ? [`  behind WordPress  ${dsns.longDsn}`] : []),
    '',
    '  Send a first error:',
    '',
    `    curl -X POST ${namespaceUrl(config, port)}/store -H 'Content-Type: application/json' -H 'X-Notifier-Key: ${publicKey}' -d '{"message":"Hello from curl","platform":"other"}'`,
    '',
    '  See its issue:    npm run notifier -- issue list',
  ];
}

function projectLine({ project, projectsCount }: Settled): string {
  if (projectsCount > 1) return `${projectsCount} projects (npm run notifier -- project list)`;
  if (project === null) return 'no project of the settings (npm run notifier -- project list)';
  return `project ${project.id} "${project.name}" (keys: npm run notifier -- key list)`;
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
