// The words of `contract`, read once: options, the target they name, and where output goes. Nothing is run
// here.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Target } from '../../contract/target.ts';
import { type Output, UsageError, warnOfKeyArgument } from '../command.ts';

/** What the subcommands are given: where to print, and the environment for TARGET_…. */
export type ContractIo = Output & { readonly env: Readonly<Record<string, string | undefined>> };

const options = {
  url: { type: 'string' },
  'public-key': { type: 'string' },
  'secret-key': { type: 'string' },
  domain: { type: 'string' },
  'domain-off': { type: 'string' },
  'proof-domain': { type: 'string' },
  'expect-limits': { type: 'boolean' },
  format: { type: 'string' },
  out: { type: 'string' },
  against: { type: 'string' },
  har: { type: 'string' },
  describe: { type: 'string' },
  dialect: { type: 'string' },
  name: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies NonNullable<ParseArgsConfig['options']>;

function parsed(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
}

export type ContractWords = ReturnType<typeof parsed>;

/** Reads the words after `contract`. Throws UsageError naming the one that is wrong. */
export function readContractWords(argv: readonly string[]): ContractWords {
  try {
    const words = parsed(argv);
    if (words.values.json === true) words.values.format ??= 'json';
    return words;
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/**
 * The site that `--url` or TARGET_URL names. Throws UsageError where there is none, or none that can be
 * asked.
 */
export function siteUrlOf(text: string | undefined, io: ContractIo): URL {
  const given = text ?? io.env['TARGET_URL'];
  if (given === undefined || given === '') throw new UsageError('Which server? Give --url.');
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`--url is no http or https address: ${given}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--url carries no user and no password.');
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/wp-json(\/notifier\/v1)?\/?$/, '').replace(/\/+$/, '');
  return url;
}

/**
 * The whole target of a run; `fresh` where what is made must be new, to be seen made. Throws UsageError for
 * the first word that is missing.
 */
export function targetOf(
  words: ContractWords,
  io: ContractIo,
  choice: { readonly url?: string | undefined; readonly fresh?: boolean } = {},
): Target {
  const siteUrl = siteUrlOf(choice.url ?? words.values.url, io);
  const run = randomBytes(16).toString('hex');
  const short = run.slice(0, 8);
  const domain = words.values.domain ?? io.env['TARGET_DOMAIN'];
  return {
    siteUrl,
    publicKey: keyOf(words.values['public-key'], 'public', io),
    secretKey: keyOf(words.values['secret-key'], 'secret', io),
    domain: domain ?? defaultDomain(siteUrl),
    domainGiven: domain !== undefined,
    domainOff: words.values['domain-off'] ?? 'notifier-contract.invalid',
    proofDomain:
      words.values['proof-domain'] ??
      (choice.fresh === true ? `${short}.notifier-contract.example.com` : 'notifier-contract.example.com'),
    releaseVersion: choice.fresh === true ? `notifier-contract-${short}` : 'notifier-contract-1.0.0',
    run,
  };
}

/** The format that `--format` names; the first unless said. Throws UsageError for another. */
export function formatOf<Format extends string>(
  { values: { format } }: ContractWords,
  formats: readonly [Format, ...Format[]],
): Format {
  const found = format === undefined ? formats[0] : formats.find((each) => each === format);
  if (found !== undefined) return found;
  throw new UsageError(`--format is one of ${formats.join(', ')}, not ${format}.`);
}

/** Whether what is printed may be coloured. */
export function isColoured(words: ContractWords, io: ContractIo): boolean {
  return io.isTerminal && words.values.out === undefined && (io.env['NO_COLOR'] ?? '') === '';
}

function keyOf(given: string | undefined, kind: 'public' | 'secret', io: ContractIo): string {
  if (given !== undefined && kind === 'secret') {
    warnOfKeyArgument(io, '--secret-key', 'Set TARGET_SECRET_KEY in the environment.');
  }
  const key = given ?? io.env[`TARGET_${kind.toUpperCase()}_KEY`];
  if (key === undefined || key === '') {
    throw new UsageError(`Which ${kind} key? Set TARGET_${kind.toUpperCase()}_KEY.`);
  }
  if (!/^[\x21-\x7e]{1,256}$/.test(key)) throw new UsageError(`The ${kind} key cannot stand in a header.`);
  return key;
}

/** A laptop's server has `localhost` by default; a site usually reports on itself. */
function defaultDomain(siteUrl: URL): string {
  return /^(127\.|\[::1\]|localhost$)/.test(siteUrl.hostname) ? 'localhost' : siteUrl.hostname;
}

/** Waits; on a terminal the seconds that are left are counted down. */
export function visibleSleep(io: ContractIo): (ms: number) => Promise<void> {
  return async (ms) => {
    if (!io.isTerminal) return sleep(ms);
    for (let leftMs = ms; leftMs > 0; leftMs -= 1000) {
      io.err(`\r\u001b[2Kwaiting, ${Math.ceil(leftMs / 1000)} s left`);
      await sleep(Math.min(leftMs, 1000));
    }
    io.err('\r\u001b[2K');
  };
}

/** A line that says for what we wait and how long. */
export function waitNotice(io: ContractIo): (name: string, seconds: number) => void {
  return (name, seconds) => io.err(`limited: waiting ${seconds} s before ${name} is sent again\n`);
}

/** Writes the text to the file, readable by its owner alone, or prints it. */
export async function printOrWrite(text: string, file: string | undefined, io: ContractIo): Promise<void> {
  if (file === undefined) io.out(text);
  else await writeFile(file, text, { mode: 0o600 });
}
