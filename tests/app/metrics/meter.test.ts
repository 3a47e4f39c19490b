import { describe, expect, it } from '@jest/globals';
import { createMeter } from '../../../src/app/metrics/meter.ts';
import { counterDefinitions, histogramDefinitions } from '../../../src/app/metrics/metric-definitions.ts';

const event = ['accepted', '', 'error'];

describe('a meter', () => {
  it('counts separately for each set of label values', () => {
    const meter = createMeter();
    meter.count('events', event);
    meter.count('events', event, 4);
    meter.count('events', ['duplicate', '', 'error']);
    expect(meter.read().counters.events).toEqual([
      [event, 5],
      [['duplicate', '', 'error'], 1],
    ]);
  });

  it('counts a measurement in the bucket of its upper bound', () => {
    const meter = createMeter();
    const { bounds } = histogramDefinitions.requestSeconds;
    for (const seconds of [0.005, 0.0051, 99]) meter.observe('requestSeconds', ['/x'], seconds);
    const [line] = meter.read().histograms.requestSeconds;
    const counts = [...bounds, 0].map(() => 0);
    counts[0] = 1;
    counts[1] = 1;
    counts[bounds.length] = 1;
    expect(line).toEqual([['/x'], counts, expect.closeTo(99.0101, 6)]);
  });

  it('counts further label sets together once the limit of series is reached', () => {
    const meter = createMeter();
    const { linesMax } = counterDefinitions.events;
    for (let index = 0; index < linesMax * 3; index += 1) {
      meter.count('events', ['filtered', `r${index}`, 'error']);
    }
    const lines = meter.read().counters.events;
    expect(lines).toHaveLength(linesMax);
    expect(lines.at(-1)).toEqual([['other', 'other', 'other'], linesMax * 2 + 1]);
  });
});
