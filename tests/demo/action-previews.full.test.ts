import { beforeAll, expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import { workspacePages } from '../../routes/pages/index.ts';
import {
  type ActionPreviewModel,
  findActionPreview,
  issueActionPreviews,
  settingsActionPreviews,
} from '../../src/core/page-models/action-previews/action-previews.ts';
import { monitoringActionPreviews } from '../../src/core/page-models/action-previews/monitoring-previews.ts';
import { createFinder } from '../../src/http/pages/find-page.ts';
import { lookAtDemo } from './look.ts';

const pages = demoPages();
const declared = workspacePages().filter(({ kind }) => kind === 'act');
const sentences = { ...issueActionPreviews, ...settingsActionPreviews, ...monitoringActionPreviews };
const ofAKind = 4;

const walked = new Map<string, string>();
beforeAll(async () => {
  const finder = createFinder(pages);
  const kinds = new Map<string, number>();
  const todo = ['/', '/search?q=64'];
  for (let address = todo.shift(); address !== undefined; address = todo.shift()) {
    const [path = '/'] = address.split('?');
    const found = finder.find('GET', path);
    if (walked.has(address) || found === null || found === 'other') continue;
    const { declaration, isJson } = found;
    const kind = `${declaration.path}${address.includes('?') ? '?' : ''}`;
    if (declaration.kind !== 'page' || isJson || (kinds.get(kind) ?? 0) >= ofAKind) continue;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const { html } = await lookAtDemo(pages, address);
    walked.set(address, html);
    const links = [...html.matchAll(/href="\/demo([^"#]*)/g)].map(([, link = '']) => link);
    todo.push(...links.map((link) => link.replaceAll('&amp;', '&') || '/'));
  }
});

const forms = (): Array<{ readonly address: string; readonly form: string; readonly act: string }> =>
  [...walked].flatMap(([address, html]) =>
    [...html.matchAll(/<form[^>]*action="\/demo\/action-preview"[\s\S]*?<\/form>/g)].map(([form]) => ({
      address,
      form,
      act: /name="act" value="([^"]*)"/.exec(form)?.[1] ?? '',
    })),
  );

it('has a sentence for each declared action, with the role that may do it', async () => {
  expect(declared.length).toBeGreaterThan(30);
  expect(declared.filter(({ path }) => !(path in sentences))).toEqual([]);
  const said = declared.map(async ({ path, requiredRole }) => {
    const { model } = await lookAtDemo(pages, `/action-preview?act=${path.replaceAll(/\{\w+\}/g, '7')}`);
    return [path, (model as ActionPreviewModel).needs, requiredRole];
  });
  const roles = await Promise.all(said);
  expect(roles.filter(([, needs, role]) => needs !== role)).toEqual([]);
});

it('has no sentence twice', () => {
  const all = Object.values(sentences);
  expect(new Set(all.map(({ what }) => what)).size).toBe(all.length);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
});

it('has a sentence for each form on its pages', () => {
  const acts = forms().map(({ act }) => act);
  expect(new Set(acts.map((act) => findActionPreview(act)?.path)).size).toBeGreaterThan(35);
  expect(acts.filter((act) => findActionPreview(act) === null)).toEqual([]);
});

it('sends only the action and the return URL', () => {
  const sent = forms().flatMap(({ address, form }) =>
    [...form.matchAll(/<(input|select|textarea|button)\b((?:"[^"]*"|[^">])*)>/g)]
      .filter(([, , attributes = '']) => / name="/.test(attributes) && !/ form="unsent"/.test(attributes))
      .map(([, , attributes = '']) => `${address}: ${/ name="([^"]*)"/.exec(attributes)?.[1]}`),
  );
  expect(new Set(sent.map((each) => each.split(': ')[1]))).toEqual(new Set(['act', 'back']));
  expect(sent).toHaveLength(2 * forms().length);
});

it('has no field that the action of a workspace refuses, except those of rules in the demo', () => {
  const finder = createFinder(workspacePages());
  const unknown = forms().flatMap(({ act, form }) => {
    const found = finder.find('POST', act);
    if (found === null || found === 'other' || found.declaration.kind !== 'act') return [];
    const { fields } = found.declaration;
    const names = [...form.matchAll(/ name="([^"]*?)(?:\[\])?"/g)].map(([, name = '']) => name);
    return names.filter((name) => ![...fields, 'act', 'back', 'every'].includes(name));
  });
  expect(unknown).toEqual([]);
});

it('has different sentences for a created and a changed rule', async () => {
  expect(findActionPreview('/alert-channels/rules/new')?.path).toBe('/alert-channels/rules/new');
  expect(findActionPreview('/alert-channels/rules/4')?.path).toBe('/alert-channels/rules/{rule_id}');
  expect(findActionPreview('/alert-channels/2/test')?.path).toBe('/alert-channels/{channel_id}/test');
  expect(findActionPreview('/issues//resolve')).toBeNull();
  const { model, text } = await lookAtDemo(pages, '/action-preview?act=/issues/64/resolve&back=/issues/64');
  expect(model as ActionPreviewModel).toMatchObject({
    act: '/issues/64/resolve',
    needs: 'member',
    back: '/issues/64',
  });
  expect(text).toContain('Resolve issue');
  const { model: unknown } = await lookAtDemo(
    pages,
    '/action-preview?act=https://elsewhere.example/&back=//elsewhere',
  );
  expect(unknown as ActionPreviewModel).toMatchObject({ act: '', title: 'Change something', back: '/' });
});

it.each([
  '/projects/new',
  '/projects/1/keys/new',
  '/domains/new',
  '/issues/64/merge',
  '/issues/64/ignore',
  '/issues/64/delete',
  '/issues/64/split',
  '/issues/39/split',
])('%s asks for confirmation, as in a workspace', async (address) => {
  const { html } = await lookAtDemo(pages, address);
  expect(html).toContain('<h1>');
});
