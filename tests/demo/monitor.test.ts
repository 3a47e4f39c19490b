import { expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import type { MonitorModel } from '../../src/core/page-models/monitoring/monitor.ts';
import { lookAtDemo } from './look.ts';

const pages = demoPages();

it('lists every channel whose rule would notify about it, by its project', async () => {
  const { model, text } = await lookAtDemo(pages, '/monitors/payments-gateway');
  const { notified } = model as MonitorModel;
  expect(notified.map(({ name, rules, is_paused: isPaused }) => [name, rules, isPaused])).toEqual([
    ['#ops', ['Down'], false],
    ['On call', ['Wake somebody'], false],
    ['Operations', ['Wake somebody'], false],
    ['Order desk', ['Payments'], false],
    ['Warehouse', ['Down'], true],
  ]);
  expect(text).toContain('On call rule Wake somebody');
  expect(text).toContain('Warehouse rule Down, paused now');
});

it('notifies nobody for one of another project', async () => {
  const { model } = await lookAtDemo(pages, '/monitors/customer-accounts');
  const { notified } = model as MonitorModel;
  expect(notified.map(({ name }) => name)).toEqual(['#ops', 'Warehouse']);
});
