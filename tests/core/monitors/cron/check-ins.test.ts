import { expect, it } from '@jest/globals';
import { parseCheckIn } from '../../../../src/core/monitors/cron/check-ins.ts';

const id = '83a7c03ed0a04e1b97e2e3b18d38f244';
const plain = { check_in_id: id, monitor_slug: 'nightly-import', status: 'ok' };
const schedule = { type: 'crontab', value: '30 2 * * *' };

it('is parsed with its config and defaults', () => {
  const item = {
    ...plain,
    status: 'in_progress',
    environment: 'live',
    monitor_config: {
      schedule,
      timezone: 'Europe/Berlin',
      checkin_margin: 5,
      max_runtime: 45,
      failure_issue_threshold: 2,
      recovery_threshold: 3,
    },
  };
  expect(parseCheckIn(item)).toEqual({
    id,
    slug: 'nightly-import',
    status: 'in_progress',
    durationMs: null,
    environment: 'live',
    settings: {
      schedule,
      timezone: 'Europe/Berlin',
      marginMs: 300_000,
      runtimeMs: 2_700_000,
      failures: 2,
      recoveries: 3,
    },
    settingsFault: null,
  });
  expect(parseCheckIn({ ...plain, monitor_config: { schedule } })?.settings).toEqual({
    schedule,
    timezone: 'UTC',
    marginMs: 60_000,
    runtimeMs: 1_800_000,
    failures: 1,
    recoveries: 1,
  });
});

it.each([
  [{ duration: 12.5 }, { durationMs: 12_500 }],
  [{ duration: -1 }, { durationMs: null }],
  [{ check_in_id: '83A7C03E-D0A0-4E1B-97E2-E3B18D38F244' }, { id }],
  [{ check_in_id: '0'.repeat(32) }, { id: null }],
  [{ check_in_id: undefined }, { id: null }],
  [{ monitor_slug: ' Nightly: Café--Import ' }, { slug: 'nightly-cafe-import' }],
  [{ monitor_slug: 'a'.repeat(80) }, { slug: 'a'.repeat(50) }],
  [{ environment: 'two\nlines' }, { environment: 'two lines' }],
  [{ monitor_config: { schedule, timezone: 'Mars/Olympus' } }, { settings: null }],
  [{ environment: '' }, { environment: 'production' }],
  [{ monitor_config: { schedule: { type: 'crontab', value: 'often' } } }, { settings: null }],
  [{ monitor_config: 'daily' }, { settings: null }],
])('%j is read as %j', (more, read) => {
  expect(parseCheckIn({ ...plain, ...more })).toMatchObject(read);
});

it.each([
  [{ schedule, timezone: 'Mars/Olympus' }, 'monitor_config.timezone must be the name of a time zone'],
  [{ schedule, timezone: 3600 }, 'monitor_config.timezone must be the name of a time zone'],
  [{ schedule: { ...schedule, value: '61 * * * *' } }, 'monitor_config.schedule.value must be a crontab'],
  [{ schedule: { ...schedule, value: '0 0 30 2 *' } }, 'monitor_config.schedule.value must be a crontab'],
  [{ schedule: { ...schedule, value: '0 30 2 * * *' } }, 'monitor_config.schedule.value must be a crontab'],
  [
    { schedule: { type: 'interval', value: 5, unit: 'fortnight' } },
    'monitor_config.schedule.unit must be minute,',
  ],
  [{ schedule: { type: 'interval', value: 5 } }, 'monitor_config.schedule.unit must be minute,'],
  [
    { schedule: { type: 'interval', value: 0, unit: 'day' } },
    'monitor_config.schedule.value must be a whole number',
  ],
  [
    { schedule: { type: 'cron', value: '@daily' } },
    'monitor_config.schedule.type must be crontab or interval.',
  ],
  [{ schedule: '@daily' }, 'the check-in has no monitor_config.schedule'],
  [undefined, 'the check-in has no monitor_config.schedule'],
])('reports what is wrong in %j: %s', (monitor_config, fault) => {
  expect(parseCheckIn({ ...plain, monitor_config })?.settingsFault).toContain(fault);
});

it.each([
  [null],
  [[]],
  [{ ...plain, status: 'missed' }],
  [{ ...plain, status: undefined }],
  [{ ...plain, monitor_slug: '' }],
  [{ ...plain, monitor_slug: '../..' }],
  [{ ...plain, monitor_slug: 5 }],
])('%j is no check-in', (item) => {
  expect(parseCheckIn(item)).toBeNull();
});
