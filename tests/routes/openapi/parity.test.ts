// docs/api.md, "What pages can do": each action of the pages with its route, or why it has none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { operations } from '../../../routes/openapi/operations.ts';
import { workspacePages } from '../../../routes/pages/index.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(\/[^`]*)` \| (.*) \|$/gm)].map(([, act = '', route = '']) => ({
  act,
  route,
}));

it('the table has every action of the pages once, and no other', () => {
  const acts = workspacePages()
    .filter(({ kind }) => kind === 'act')
    .map(({ path }) => path);
  expect(rows.map(({ act }) => act).toSorted()).toEqual(acts.toSorted());
});

it('the table has only routes of the API, and a reason for an action without one', () => {
  const wrong = rows.filter(({ route }) => {
    const named = /^`([^`]+)`/.exec(route)?.[1];
    return named === undefined ? !/^pages only: \w.{8,}/.test(route) : operations[named] === undefined;
  });
  expect(wrong).toEqual([]);
});
