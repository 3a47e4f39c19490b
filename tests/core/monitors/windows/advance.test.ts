import { expect, it } from '@jest/globals';
import { advanceWindows } from '../../../../src/core/monitors/maintenance-windows/advance.ts';
import type { MaintenanceWindow } from '../../../../src/core/store/monitors.ts';
import type { Store } from '../../../../src/core/store/store.ts';

const noonMs = Date.UTC(2026, 10, 21, 12);
const hourMs = 3_600_000;

const windowOf = (id: number, more: object = {}): MaintenanceWindow => ({
  ...{ id, projectId: null, title: 'Disks', message: '', weekly: null, incidentId: null, version: 1 },
  ...{ covers: { all: true, monitorIds: [], group: '', tag: '' }, createdAtMs: 0, createdBy: 'Mara' },
  ...{ fromMs: noonMs, toMs: noonMs + hourMs, isInProgress: false, dueAtMs: noonMs },
  ...more,
});
const inProgress = { isInProgress: true, dueAtMs: noonMs + hourMs };

async function atNoon(
  due: readonly MaintenanceWindow[],
  {
    applyWindowTransition,
    findWindow = async () => null,
  }: Pick<Store, 'applyWindowTransition'> & Partial<Store>,
) {
  const store = {
    windowsNow: async () => due,
    listMonitors: async () => [],
    applyWindowTransition,
    findWindow,
  };
  const failures: string[] = [];
  const tell = (error: unknown) => void failures.push(String(error));
  const found = await advanceWindows({ store: store as unknown as Store }, noonMs, tell);
  return { found: found.map(({ id }) => id), failures };
}

it('a window that another instance started is active here too', async () => {
  const begun = {
    applyWindowTransition: async () => null,
    findWindow: async (id: number) => windowOf(id, inProgress),
  };
  expect(await atNoon([windowOf(1)], begun)).toEqual({ found: [1], failures: [] });
});

it('a window that was cancelled meanwhile is not', async () => {
  expect((await atNoon([windowOf(1)], { applyWindowTransition: async () => null })).found).toEqual([]);
});

it('a window that fails does not block others', async () => {
  const { found, failures } = await atNoon([windowOf(1), windowOf(2), windowOf(3, inProgress)], {
    async applyWindowTransition(window, { change }) {
      if (window.id === 1) throw new Error('There is no such zone.');
      return { ...window, ...change };
    },
  });
  expect([found, failures]).toEqual([[2, 3], ['Error: There is no such zone.']]);
});
