import type { Meter } from '../ports/measures.ts';
import type { DomainProber, Probe } from '../ports/prober.ts';

export function measuredProber(prober: DomainProber, meter: Meter): DomainProber {
  const counted = <Found>(probe: Probe<Found>): Probe<Found> => {
    meter.count('domainChecks', [probe.ok ? 'ok' : resultOf(probe.code)]);
    return probe;
  };
  return {
    texts: async (name) => counted(await prober.texts(name)),
    aliases: async (name) => counted(await prober.aliases(name)),
    page: async (host, path, options) => counted(await prober.page(host, path, options)),
  };
}

/** Only the hundreds of a status code, so that the metric has few label values. */
function resultOf(code: string): string {
  const [, hundred] = /(\d)\d\d$/.exec(code) ?? [];
  return hundred === undefined ? code : `http_${hundred}xx`;
}
