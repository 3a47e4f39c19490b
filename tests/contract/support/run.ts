// Runs the command as a person would, with its output caught, and reads the JSON report.
import { runCommandLine } from '../../../src/cli/run.ts';

export interface CaughtRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunCheck {
  readonly name: string;
  readonly severity: string;
  readonly section: string;
  readonly result: 'passed' | 'failed' | 'differs' | 'not-observed';
  readonly reason?: string;
}

/** One command line of `contract`, with what it printed. */
export async function caught(argv: readonly string[], env: Record<string, string> = {}): Promise<CaughtRun> {
  let out = '';
  let err = '';
  const code = await runCommandLine(['contract', ...argv], {
    env,
    isTerminal: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

export interface Keys {
  readonly publicKey: string;
  readonly secretKey: string;
  readonly domain?: string;
}

/** The words that name a server. */
export function targetWords(url: string, keys: Keys): string[] {
  const words = ['--url', url, '--public-key', keys.publicKey, '--secret-key', keys.secretKey];
  return keys.domain === undefined ? words : [...words, '--domain', keys.domain];
}

/** Runs the suite and answers its exit code and every check by name. */
export async function runChecks(
  url: string,
  keys: Keys,
  more: readonly string[] = [],
): Promise<{ code: number; checks: RunCheck[]; by: (name: string) => RunCheck | undefined }> {
  const { code, out } = await caught([...targetWords(url, keys), '--format', 'json', ...more]);
  const { checks } = JSON.parse(out) as { checks: RunCheck[] };
  return { code, checks, by: (name) => checks.find((check) => check.name === name) };
}

/** Names of the checks with that result. */
export function named(checks: readonly RunCheck[], result: RunCheck['result']): string[] {
  return checks.filter((check) => check.result === result).map((check) => check.name);
}
