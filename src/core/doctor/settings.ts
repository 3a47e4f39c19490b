import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { createFindings, type Finding } from './facts.ts';

export function checkSettings(config: Config): Finding[] {
  return [...checkConsistency(config), ...checkProxy(config)];
}

function checkConsistency(config: Config): Finding[] {
  const { notice, problem, orOk } = createFindings('settings');
  for (const warning of config.warnings) {
    notice(warning, 'Correct the name or the value, or remove the setting.');
  }
  const isPublic = config.baseUrl !== null && !isLoopback(new URL(config.baseUrl).hostname);
  if (config.databaseUrl === 'sqlite::memory:') {
    problem(
      'DATABASE_URL is sqlite::memory:, so all events are lost when the server stops.',
      'Set it to a file.',
    );
  }
  if (!config.rateLimits.enabled && isPublic) {
    problem(
      'RATE_LIMITS is off, and BASE_URL is public, so one copied key can fill the disk.',
      'Turn RATE_LIMITS on; off is for benchmarks and contract tests.',
    );
  }
  if (!config.pages && (config.pagesUrl !== null || config.adminToken !== null)) {
    const name = config.pagesUrl === null ? 'NOTIFIER_ADMIN_TOKEN' : 'PAGES_URL';
    notice(`${name} is set, but PAGES is off, so there are no pages.`, 'Change one of them.');
  }
  if (config.demoIndex && !config.demo) {
    notice('DEMO_INDEX is on, but DEMO is off, so there is no demo.', 'Change one of them.');
  }
  const { pagesUrl } = config;
  if (
    config.pages &&
    pagesUrl?.origin.startsWith('http:') &&
    !isLoopback(new URL(pagesUrl.origin).hostname)
  ) {
    problem(
      `PAGES_URL is ${pagesUrl.origin}, so sessions are sent over the network unencrypted.`,
      'Serve the pages over https, and set PAGES_URL to it.',
    );
  }
  if (config.pages && pagesUrl === null && config.signIn.providers.length > 0) {
    notice(
      'A sign-in provider is set up, but PAGES_URL is not, so its callback URL depends on the address that a browser uses.',
      'Set PAGES_URL to the address that is registered at the provider.',
    );
  }
  if (config.logLevel === 'silent') {
    notice('LOG_LEVEL is silent, so failures are not logged.', 'Set it to warn.');
  }
  return orOk('All settings are known and consistent.');
}

function checkProxy(config: Config): Finding[] {
  const { notice, problem, orOk } = createFindings('proxy');
  const { baseUrl, trustProxy, host } = config;
  const open = trustProxy.filter(isEveryAddress);
  if (open.length > 0) {
    problem(
      `TRUST_PROXY contains ${open.join(', ')}, so anyone can forge their address and bypass rate limits.`,
      'Set it to the address of the proxy, for example 127.0.0.1.',
    );
  }
  if (trustProxy.length === 0 && baseUrl?.startsWith('https:') === true) {
    problem(
      'BASE_URL is https, so there is a proxy, but TRUST_PROXY is empty, so all visitors share the rate limits of one address.',
      'Set TRUST_PROXY to the address of the proxy, for example 127.0.0.1, and let the proxy set X-Forwarded-For.',
    );
  }
  if (trustProxy.length > 0 && baseUrl === null) {
    notice(
      'TRUST_PROXY is set, but BASE_URL is not, so links contain the port of this machine.',
      'Set BASE_URL to the public origin.',
    );
  }
  if (trustProxy.length > 0 && !isLoopback(host)) {
    notice(
      `HOST is ${host}, so the server can be reached without the proxy.`,
      'Set HOST to 127.0.0.1 if the proxy is on this machine, or close the port to everything except the proxy.',
    );
  }
  if (trustProxy.length === 0 && !isLoopback(host) && baseUrl?.startsWith('https:') !== true) {
    notice(
      `HOST is ${host} without https, so keys are sent over the network unencrypted.`,
      'Add a proxy with TLS (docs/reverse-proxy.md).',
    );
  }
  if (baseUrl !== null && trustProxy.length > 0 && isLoopback(new URL(baseUrl).hostname)) {
    notice(
      `BASE_URL is ${baseUrl}, which other machines cannot reach, although there is a proxy.`,
      'Set BASE_URL to the public origin.',
    );
  }
  return orOk(
    trustProxy.length === 0
      ? 'No proxy is trusted, and there seems to be none.'
      : `X-Forwarded-For is accepted only from ${trustProxy.join(', ')}.`,
  );
}

/** Wider than the widest private range. */
function isEveryAddress(block: string): boolean {
  const [address = '', bits] = block.split('/');
  if (bits === undefined) return false;
  return isIP(address) === 6 ? Number(bits) < 7 : Number(bits) < 8;
}

function isLoopback(host: string): boolean {
  return /^(127\.|localhost$|\[?::1\]?$)/.test(host);
}
