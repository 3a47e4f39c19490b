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
