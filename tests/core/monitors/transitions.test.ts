import { describe, expect, it } from '@jest/globals';
import { findTransitions } from '../../../src/core/monitors/state.ts';
import type { MonitorState } from '../../../src/core/store/monitors.ts';

describe('notifications of a monitor', () => {
  const from = (state: MonitorState, to: MonitorState, { isEnding = false, lastedMs = 90_000 } = {}) => {
    const monitor = {
      name: 'Shop',
      slug: 'shop',
      type: 'http' as const,
      target: 'https://shop.example/',
      state,
      stateSinceMs: 1_000,
    };
    const standing = { state: to, stateSinceMs: 1_000 + lastedMs, reason: 'returns status 502' };
    return findTransitions(monitor, standing, { isEnding }).map(
      ({ kind, isNews, summary }) => `${kind}: ${summary.detail}${isNews ? '' : ', no news'}`,
    );
  };

  it.each([
    ['pending', 'up', ['monitor.up: after a time without checks, no news']],
    [
      'pending',
      'degraded',
      [
        'monitor.up: after a time without checks, no news',
        'monitor.slow: returns status 502, https://shop.example/',
      ],
    ],
    ['pending', 'down', ['monitor.down: returns status 502, https://shop.example/']],
    ['up', 'up', []],
    ['up', 'down', ['monitor.down: returns status 502, https://shop.example/']],
    ['degraded', 'down', ['monitor.down: returns status 502, https://shop.example/']],
    ['down', 'down', []],
    ['down', 'up', ['monitor.up: was down for 90 seconds']],
    ['up', 'degraded', ['monitor.slow: returns status 502, https://shop.example/']],
    ['degraded', 'up', []],
    [
      'down',
      'degraded',
      ['monitor.up: was down for 90 seconds', 'monitor.slow: returns status 502, https://shop.example/'],
    ],
  ] as const)('from %s to %s', (before, after, told) => expect(from(before, after)).toEqual(told));

  it('an expiring certificate is left to another rule', () => {
    expect(from('up', 'degraded', { isEnding: true })).toEqual([]);
    expect(from('down', 'degraded', { isEnding: true })).toEqual(['monitor.up: was down for 90 seconds']);
  });

  it.each([
    [1_000, '1 second'],
    [119_999, '120 seconds'],
    [120_000, '2 minutes'],
    [7_199_000, '120 minutes'],
    [26 * 3_600_000, '26 hours'],
  ])('%i ms are %s', (lastedMs, words) => {
    expect(from('down', 'up', { lastedMs })).toEqual([`monitor.up: was down for ${words}`]);
  });
});
