// A prober that counts how its questions end.
import type { Meter } from '../ports/measures.ts';
import type { DomainProber, Probe } from '../ports/prober.ts';

/** The same prober, which tells `meter` how each question ended: `ok`, or the word for what went wrong. */
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

/** A status is a site's own choice: its hundred says enough. */
function resultOf(code: string): string {
  const [, hundred] = /(\d)\d\d$/.exec(code) ?? [];
  return hundred === undefined ? code : `http_${hundred}xx`;
}
