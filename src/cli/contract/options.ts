import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../../contract/target.ts';
import { type CommandContext, type ParsedArgs, UsageError, warnAboutKeyArgument } from '../command.ts';

export const targetOptions = {
  url: 'URL of the site, or of its API up to /wp-json/notifier/v1 (or TARGET_URL)',
  'public-key':
    'public key of a project on that site (or TARGET_PUBLIC_KEY); set its secret key in TARGET_SECRET_KEY',
  'secret-key': 'deprecated, use TARGET_SECRET_KEY',
  domain: 'domain with bug reports enabled (or TARGET_DOMAIN)',
  'domain-off': 'domain without bug reports (default: one that does not exist)',
  'proof-domain': 'name of the domain verification that the suite creates',
};
export const outOption = { out: 'output file (default: standard output)' };

/** The site of `--url` or TARGET_URL. Throws UsageError if it is missing or not an HTTP URL. */
export function parseSiteUrl(text: string | undefined, io: CommandContext): URL {
  const address = text ?? io.env['TARGET_URL'];
  if (address === undefined || address === '') throw new UsageError("Enter the server's URL with --url.");
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`--url must be an http or https URL, not ${address}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--url must not contain a user name or password.');
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/wp-json(\/notifier\/v1)?\/?$/, '').replace(/\/+$/, '');
  return url;
}

/** `fresh` uses new random names, so that rows are really created. Throws UsageError for a missing option. */
export function parseTarget(
  args: ParsedArgs,
  io: CommandContext,
  choice: { readonly url?: string | undefined; readonly fresh?: boolean } = {},
): Target {
  const siteUrl = parseSiteUrl(choice.url ?? args.text('url'), io);
  const run = randomBytes(16).toString('hex');
  const short = run.slice(0, 8);
  const domain = args.text('domain') ?? io.env['TARGET_DOMAIN'];
  return {
    siteUrl,
    publicKey: keyOf(args.text('public-key'), 'public', io),
    secretKey: keyOf(args.text('secret-key'), 'secret', io),
    domain: domain ?? defaultDomain(siteUrl),
    domainGiven: domain !== undefined,
    domainOff: args.text('domain-off') ?? 'notifier-contract.invalid',
    proofDomain:
      args.text('proof-domain') ??
      (choice.fresh === true ? `${short}.notifier-contract.example.com` : 'notifier-contract.example.com'),
    releaseVersion: choice.fresh === true ? `notifier-contract-${short}` : 'notifier-contract-1.0.0',
    run,
  };
}

/** The value of `--format`, by default the first one. Throws UsageError for an unknown one. */
export function parseFormat<Format extends string>(
  args: ParsedArgs,
  formats: readonly [Format, ...Format[]],
): Format {
  const format = args.text('format') ?? (args.flag('json') ? 'json' : undefined);
  const found = format === undefined ? formats[0] : formats.find((each) => each === format);
  if (found !== undefined) return found;
  throw new UsageError(`--format must be one of ${formats.join(', ')}, not ${format}.`);
}

export function hasColours(args: ParsedArgs, io: CommandContext): boolean {
  return io.isTerminal && args.text('out') === undefined && (io.env['NO_COLOR'] ?? '') === '';
}

function keyOf(value: string | undefined, kind: 'public' | 'secret', io: CommandContext): string {
  if (value !== undefined && kind === 'secret') {
    warnAboutKeyArgument(io, '--secret-key', 'Set TARGET_SECRET_KEY in the environment.');
  }
  const key = value ?? io.env[`TARGET_${kind.toUpperCase()}_KEY`];
  if (key === undefined || key === '') {
    throw new UsageError(`The ${kind} key is missing. Set TARGET_${kind.toUpperCase()}_KEY.`);
  }
  if (!/^[\x21-\x7e]{1,256}$/.test(key)) {
    throw new UsageError(`The ${kind} key contains characters that are not allowed in a header.`);
  }
  return key;
}

/** `localhost` for a local server; otherwise the site's own host, since a site usually reports on itself. */
function defaultDomain(siteUrl: URL): string {
  return /^(127\.|\[::1\]|localhost$)/.test(siteUrl.hostname) ? 'localhost' : siteUrl.hostname;
}

export function sleepWithCountdown(
  io: Pick<CommandContext, 'err' | 'isTerminal'>,
): (ms: number) => Promise<void> {
  return async (ms) => {
    if (!io.isTerminal) return sleep(ms);
    for (let leftMs = ms; leftMs > 0; leftMs -= 1000) {
      io.err(`\r\u001b[2Kwaiting, ${Math.ceil(leftMs / 1000)} s left`);
      await sleep(Math.min(leftMs, 1000));
    }
    io.err('\r\u001b[2K');
  };
}

export function waitNotice(io: CommandContext): (name: string, seconds: number) => void {
  return (name, seconds) => io.err(`rate limited: retrying ${name} in ${seconds} s\n`);
}

export async function printOrWrite(
  text: string,
  file: string | undefined,
  io: CommandContext,
): Promise<void> {
  if (file === undefined) io.out(text);
  else await writeFile(file, text, { mode: 0o600 });
}
