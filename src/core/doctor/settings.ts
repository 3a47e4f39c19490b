import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { type Finding, findingsOf, orFine } from './finding.ts';

export function settingFindings(config: Config): Finding[] {
  const { notice } = findingsOf('settings');
  const found = [
    ...config.warnings.map((said) => notice(said, 'Correct the name or the value, or take it away.')),
    ...contradictions(config),
  ];
  return [
    ...orFine(found, 'settings', 'No setting is unknown or contradicts another.'),
    ...orFine(proxyFindings(config), 'proxy', proxyFine(config)),
  ];
}

function contradictions(config: Config): Finding[] {
  const { notice, problem } = findingsOf('settings');
  const found: Finding[] = [];
  const isPublic = config.baseUrl !== null && !isLoopback(new URL(config.baseUrl).hostname);
  if (config.databaseUrl === 'sqlite::memory:') {
    found.push(
      problem(
        'DATABASE_URL is sqlite::memory:: all events are thrown away when the server ends.',
        'Name a file.',
      ),
    );
  }
  if (!config.rateLimits.enabled && isPublic) {
    found.push(
      problem(
        'RATE_LIMITS is off while BASE_URL is public: one copied key can fill the disk.',
        'Switch them on; off is for benchmarks and contract runs.',
      ),
    );
  }
  if (!config.pages && (config.pagesUrl !== null || config.adminToken !== null)) {
    const name = config.pagesUrl === null ? 'NOTIFIER_ADMIN_TOKEN' : 'PAGES_URL';
    found.push(notice(`${name} is set while PAGES is off: there are no pages.`, 'Keep one of the two.'));
  }
  if (config.demoIndex && !config.demo) {
    found.push(notice('DEMO_INDEX is on while DEMO is off: there is no demo.', 'Keep one of the two.'));
  }
  const { pagesUrl } = config;
  if (
    config.pages &&
    pagesUrl?.origin.startsWith('http:') &&
    !isLoopback(new URL(pagesUrl.origin).hostname)
  ) {
    found.push(
      problem(
        `PAGES_URL is ${pagesUrl.origin}: the session of whoever signs in crosses the network in the clear.`,
        'Serve the pages by https, and say so in PAGES_URL.',
      ),
    );
  }
  if (config.logLevel === 'silent') {
    found.push(notice('LOG_LEVEL is silent: nothing tells you why something failed.', 'Set it to warn.'));
  }
  return found;
}

function proxyFindings(config: Config): Finding[] {
  const { notice, problem } = findingsOf('proxy');
  const found: Finding[] = [];
  const { baseUrl, trustProxy, host } = config;
  const open = trustProxy.filter(isEverybody);
  if (open.length > 0) {
    found.push(
      problem(
        `TRUST_PROXY holds ${open.join(', ')}: anybody can say which address they come from, and pass every limit.`,
        'Name the proxy’s own address, such as 127.0.0.1.',
      ),
    );
  }
  if (trustProxy.length === 0 && baseUrl?.startsWith('https:') === true) {
    found.push(
      problem(
        'BASE_URL is https, so a proxy stands in front, but TRUST_PROXY is empty: all visitors count as one address and share its limits.',
        'Set TRUST_PROXY to the proxy’s address, such as 127.0.0.1, and have it set X-Forwarded-For.',
      ),
    );
  }
  if (trustProxy.length > 0 && baseUrl === null) {
    found.push(
      notice(
        'TRUST_PROXY is set and BASE_URL is not: links and printed addresses name this machine’s own port.',
        'Set BASE_URL to the public origin.',
      ),
    );
  }
  if (trustProxy.length > 0 && !isLoopback(host)) {
    found.push(
      notice(
        `HOST is ${host}: the server can be reached past the proxy.`,
        'Set HOST to 127.0.0.1 where the proxy is on this machine, or close the port to all but the proxy.',
      ),
    );
  }
  if (trustProxy.length === 0 && !isLoopback(host) && baseUrl?.startsWith('https:') !== true) {
    found.push(
      notice(
        `HOST is ${host} and nothing speaks https in front: keys cross the network in the clear.`,
        'Put a proxy with TLS in front (docs/reverse-proxy.md).',
      ),
    );
  }
  if (baseUrl !== null && trustProxy.length > 0 && isLoopback(new URL(baseUrl).hostname)) {
    found.push(
      notice(
        `BASE_URL is ${baseUrl}, which other machines take for themselves, while a proxy stands in front.`,
        'Set BASE_URL to the public origin.',
      ),
    );
  }
  return found;
}

function proxyFine({ trustProxy }: Config): string {
  return trustProxy.length === 0
    ? 'No proxy is trusted, and none seems to be in front.'
    : `X-Forwarded-For is believed of ${trustProxy.join(', ')} alone.`;
}

/** Wider than the widest private range. */
function isEverybody(block: string): boolean {
  const [address = '', bits] = block.split('/');
  if (bits === undefined) return false;
  return isIP(address) === 6 ? Number(bits) < 7 : Number(bits) < 8;
}

function isLoopback(host: string): boolean {
  return /^(127\.|localhost$|\[?::1\]?$)/.test(host);
}
