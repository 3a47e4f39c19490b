import { beforeAll, expect, it } from '@jest/globals';
import type { TestRunsModel } from '../../../src/core/page-models/delivery/test-runs.ts';
import { shared } from '../../support/shared.ts';
import { openWorkspace } from '../../support/workspace.ts';

const workspace = shared(() => openWorkspace());
beforeAll(async () => {
  const { app } = workspace;
  for (const suite of ['=1+1', 'with, "commas"']) {
    const answer = await fetch(`${app.api}/test-runs?suite=${encodeURIComponent(suite)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.secretKey}`, 'Content-Type': 'application/xml' },
      body: `<testsuite name="one"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>`,
    });
    expect(answer).toHaveStatus(201);
  }
});

const rowsOf = (text: string): string[] => text.trimEnd().split('\r\n');

it('has every run that the page counts, with column names, for a viewer too', async () => {
  const { status, headers, text } = await workspace.viewer.get('/test-runs.csv');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename=test-runs.csv');
  const [head = '', ...rows] = rowsOf(text);
  expect(head).toMatch(/^test_run_id,created_at,project_id,project,result,suite,branch,commit,release,/);
  const model: TestRunsModel = await workspace.viewer.json('/test-runs');
  expect(rows).toHaveLength(Object.values(model.counts).reduce((sum, each) => sum + each, 0));
  expect(rows.map((row) => Number(row.split(',')[0]))).toEqual(model.runs.map((run) => run.test_run_id));
  for (const row of rows) expect(row.replaceAll(/"[^"]*(?:""[^"]*)*"/g, '').split(',')).toHaveLength(19);
});

it('has no formula in a cell, and quotes commas', async () => {
  const { text } = await workspace.viewer.get('/test-runs.csv');
  expect(text).toContain(",'=1+1,");
  expect(text).toContain(',"with, ""commas""",');
});

it('has the filters and an order of the page', async () => {
  const { text } = await workspace.viewer.get('/test-runs.csv?q=commas&result=failed');
  expect(rowsOf(text)).toHaveLength(2);
  const { text: none } = await workspace.viewer.get('/test-runs.csv?q=nothing-is-called-so');
  expect(rowsOf(none)).toHaveLength(1);
  const page = await workspace.viewer.get('/test-runs?q=commas');
  expect(page.text).toContain('href="/test-runs.csv?q=commas"');
});
