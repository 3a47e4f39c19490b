import type { DomainCheckClient, ProbeResult } from '../ports/domain-check-client.ts';
import type { Meter } from '../ports/metrics.ts';

export function withProberMetrics(client: DomainCheckClient, meter: Meter): DomainCheckClient {
  const counted = <Found>(probe: ProbeResult<Found>): ProbeResult<Found> => {
    meter.count('domainChecks', [probe.ok ? 'ok' : metricLabelOf(probe.code)]);
    return probe;
  };
  return {
    texts: async (name) => counted(await client.texts(name)),
    aliases: async (name) => counted(await client.aliases(name)),
    page: async (host, path, options) => counted(await client.page(host, path, options)),
  };
}

/** Only the hundreds of a status code, so that the metric has few label values. */
function metricLabelOf(code: string): string {
  const [, hundred] = /(\d)\d\d$/.exec(code) ?? [];
  return hundred === undefined ? code : `http_${hundred}xx`;
}
