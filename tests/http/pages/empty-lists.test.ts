import { expect, it } from '@jest/globals';
import { shared } from '../../support/shared.ts';
import { openEmptyWorkspace } from '../../support/workspace.ts';

const workspace = shared(() => openEmptyWorkspace());

it.each([
  ['/monitors', 'New monitor…'],
  ['/alert-channels', 'New channel…'],
  ['/alert-channels/rules', 'New rule…'],
  ['/status-pages', 'New status page…'],
  ['/incidents', 'New incident…'],
  ['/domains', 'Add domain'],
])('an empty list shows its button once: %s', async (path, word) => {
  const { text } = await workspace.admin.get(path);
  const shown = [...text.matchAll(/<(?:a|button)[^>]*>([^<]*)/g)].filter(([, own]) => own?.startsWith(word));
  expect(shown).toHaveLength(1);
});

it('without a project the first page offers to create one, to those who may', async () => {
  const { admin, viewer, app, close } = await openEmptyWorkspace();
  const { project } = app;
  await admin.post(`/projects/${project.id}/delete`, { name: project.name });
  while (!(await app.deps.store.removeProjectSlice(project.id)).done);
  expect((await admin.get('/')).text).toMatch(
    /There is no project yet\. <\/p>.*href="\/projects\/new"[^>]*>Create project</s,
  );
  expect((await viewer.get('/')).text).toContain('There is no project yet. Ask an admin to create one.');
  await close();
});
