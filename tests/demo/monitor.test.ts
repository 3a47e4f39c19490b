// The page of a monitor of the demo: who is told of it, by the rules of the channels.
import { expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import type { MonitorModel } from '../../src/core/workspace/uptime/monitor.ts';
import { golden, lookAtDemo } from './look.ts';

const pages = demoPages();

it('names every channel whose rule would tell of it, by its tags and its project', async () => {
  const { model, text } = await lookAtDemo(pages, '/monitors/payments-gateway');
  const { told } = model as MonitorModel;
  expect(told.map(({ name, rules, is_paused: isPaused }) => [name, rules, isPaused])).toEqual([
    ['#ops', ['Down'], false],
    ['On call', ['Wake somebody'], false],
    ['Operations', ['Wake somebody'], false],
    ['Order desk', ['Payments'], false],
    ['Warehouse', ['Down'], true],
  ]);
  expect(text).toContain('On call rule Wake somebody');
  expect(text).toContain('Warehouse rule Down, paused now');
});

it('wakes nobody for one without the tag', async () => {
  const { model } = await lookAtDemo(pages, '/monitors/customer-accounts');
  const { told } = model as MonitorModel;
  expect(told.map(({ name }) => name)).toEqual(['#ops', 'Warehouse']);
});

it('would have told of each critical incident whom the incident says', async () => {
  const monitors = await golden.uptime.listMonitors();
  const incidents = await golden.uptime.listIncidents(0);
  const critical = incidents.filter(({ severity }) => severity === 'critical');
  expect(critical.length).toBeGreaterThan(3);
  for (const { affects, told: names } of critical) {
    const hit = monitors.filter(({ id }) =>
      affects.some((each) => each.kind === 'monitor' && each.id === id),
    );
    for (const { slug } of hit) {
      const { told } = (await lookAtDemo(pages, `/monitors/${slug}`)).model as MonitorModel;
      expect(told.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
    }
  }
});
