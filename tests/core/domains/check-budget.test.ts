import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/core/config/config.ts';
import { takeDomainCheck } from '../../../src/core/domains/verifications.ts';
import type { DomainCheckClient } from '../../../src/core/ports/domain-check-client.ts';

const proberOf = (): DomainCheckClient => ({
  texts: async () => ({ ok: false, code: 'nxdomain' }),
  aliases: async () => ({ ok: false, code: 'no_record' }) as const,
  page: async () => ({ ok: false, code: 'unreachable' }),
});

/** Asks for checks and answers how many were let through; `cachedHostOfUrl` names the host of each. */
function allowed(
  deps: Parameters<typeof takeDomainCheck>[0],
  times: number,
  hostOf: (time: number) => string,
  projectOf: (time: number) => number = (time) => time % 20,
): number {
  let count = 0;
  for (let time = 0; time < times; time += 1) {
    try {
      takeDomainCheck(deps, hostOf(time), projectOf(time));
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ status: 429, code: 'rest_too_many_requests' });
    }
  }
  return count;
}

describe('a thousand checks', () => {
  const config = loadConfig({}, () => '');
  it('of one host are thirty a minute', () => {
    let nowMs = 1_000_000;
    const deps = { config, domainCheckClient: proberOf(), now: () => nowMs };
    expect(allowed(deps, 1000, () => 'victim.com')).toBe(30);
    nowMs += 59_999;
    expect(allowed(deps, 10, () => 'victim.com')).toBe(0);
    nowMs += 1;
    expect(allowed(deps, 1000, () => 'victim.com')).toBe(30);
  });

  it('of many hosts are sixty a minute', () => {
    const deps = { config, domainCheckClient: proberOf(), now: () => 5, random: () => 0 };
    expect(allowed(deps, 1000, (time) => `host${time}.com`)).toBe(60);
  });

  it('of one project leave a share to others', () => {
    const deps = { config, domainCheckClient: proberOf(), now: () => 5, random: () => 0 };
    expect(
      allowed(
        deps,
        1000,
        (time) => `host${time}.com`,
        () => 1,
      ),
    ).toBe(45);
    expect(
      allowed(
        deps,
        1000,
        (time) => `other${time}.com`,
        () => 2,
      ),
    ).toBe(6);
    expect(
      allowed(
        deps,
        9,
        (time) => `third${time}.com`,
        () => 3,
      ),
    ).toBe(6);
  });

  it('have a time to retry', () => {
    const deps = { config, domainCheckClient: proberOf(), now: () => 5, random: () => 0 };
    allowed(deps, 60, (time) => `host${time}.com`);
    expect(() => takeDomainCheck(deps, 'late.com', 1)).toThrow(
      expect.objectContaining({ extra: { retry_after: 60 }, headers: [['Retry-After', '60']] }),
    );
  });

  it('are not counted when limits are off', () => {
    const deps = {
      config: loadConfig({ RATE_LIMITS: 'off' }, () => ''),
      domainCheckClient: proberOf(),
      now: () => 5,
    };
    expect(allowed(deps, 1000, () => 'victim.com')).toBe(1000);
  });
});
