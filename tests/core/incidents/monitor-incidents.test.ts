import { describe, expect, it } from '@jest/globals';
import { updateIncidentOfMonitor } from '../../../src/core/incidents/automatic.ts';
import { defaultSettings } from '../../../src/core/monitors/settings.ts';
import type { IncidentRecord } from '../../../src/core/store/incidents.ts';
import type { MonitorTransition } from '../../../src/core/store/monitors.ts';

const monitor = { id: 7, projectId: null, name: 'Shop', settings: defaultSettings };
const turn = (kind: MonitorTransition['kind']): MonitorTransition => ({
  kind,
  isNews: true,
  sinceMs: 500,
  summary: { title: 'Shop', detail: 'returns status 502', path: '/monitors/shop' },
});
const open = (state: IncidentRecord['state'], isHandled: boolean, updates = 1) =>
  ({ state, isHandled, mitigatedAtMs: null, updates: Array(updates).fill({}) }) as unknown as IncidentRecord;

describe('an incident opened by a monitor', () => {
  it.each([
    ['investigating', false, 'monitor.up', 'resolved'],
    ['investigating', true, 'monitor.up', 'monitoring'],
    ['identified', true, 'monitor.up', 'monitoring'],
    ['monitoring', true, 'monitor.up', 'monitoring'],
    ['monitoring', true, 'monitor.down', 'investigating'],
    ['identified', true, 'monitor.down', 'identified'],
  ] as const)('that is %s, touched %s, at %s is %s', (state, isHandled, kind, next) => {
    const following = updateIncidentOfMonitor(monitor, turn(kind), open(state, isHandled), 1_000);
    expect(following).toMatchObject({ does: 'change', change: { state: next } });
  });

  it('is opened on going down alone, and only where the monitor allows it', () => {
    expect(updateIncidentOfMonitor(monitor, turn('monitor.down'), null, 1_000)).toMatchObject({
      does: 'open',
      incident: { startedAtMs: 500, update: { atMs: 1_000 } },
    });
    expect(updateIncidentOfMonitor(monitor, turn('monitor.up'), null, 1_000)).toBeNull();
    expect(
      updateIncidentOfMonitor(monitor, turn('monitor.slow'), open('investigating', false), 1_000),
    ).toBeNull();
    const silent = { ...monitor, settings: { ...defaultSettings, opensIncidents: false } };
    expect(updateIncidentOfMonitor(silent, turn('monitor.down'), null, 1_000)).toBeNull();
  });

  it('follows further changes after its updates are full', () => {
    const full = open('monitoring', true, 1_000);
    expect(updateIncidentOfMonitor(monitor, turn('monitor.down'), full, 1_000)).toMatchObject({
      change: { state: 'investigating' },
      update: null,
    });
  });
});
