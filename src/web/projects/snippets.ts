// SDK setup snippets with the project's key and URL. Tabs are links, so they work without scripts.
import type { VNode } from 'preact';
import type { Snippet } from '../../core/page-models/snippets.ts';
import { copyButton } from '../components/controls.ts';
import { section, tabs } from '../components/elements.ts';
import { el, html } from '../el.ts';
import type { PageContext } from '../page-context.ts';

const chosenBy = 'lines';

/** Both forms of the DSN; they are equal if there is only one. */
type Dsns = { readonly dsn: string | null; readonly long_dsn: string | null };

export interface SnippetSectionOptions {
  readonly id: string;
  readonly title: string;
  /** Path of the page, since this may be the response to a POST to another path. */
  readonly path: string;
}

export function snippetSection(
  all: readonly Snippet[],
  { dsn, long_dsn: longDsn }: Dsns,
  { id, title, path }: SnippetSectionOptions,
  context: PageContext,
): VNode {
  const requested = context.query.get(chosenBy);
  const chosen = all.find((each) => each.id === requested) ?? all[0];
  if (chosen === undefined) {
    const none = 'There is no active public key. Create one to see the setup instructions.';
    return section({ id, title }, html`<p class="hint">${none}</p>`);
  }
  const choices = all.map((each) => ({
    name: each.title,
    path,
    query: { [chosenBy]: each.id },
    hash: id,
    isCurrent: each === chosen,
  }));
  return section(
    { id, title },
    tabs(context, title, choices),
    snippetBlock(chosen),
    el(
      'p',
      { class: 'under' },
      copyButton(`s-${chosen.id}`, `the code for ${chosen.title}`),
      el(
        'span',
        { class: 'hint' },
        'Any Sentry SDK works with this DSN, on servers, in browsers and on phones.',
        longDsn === null || longDsn === dsn
          ? []
          : [' Behind a WordPress site it is ', html`<code>${longDsn}</code>`, '.'],
      ),
    ),
  );
}

function snippetBlock({ id, title, text }: Snippet): VNode {
  const place = {
    class: 'snip',
    id: `s-${id}`,
    tabindex: 0,
    role: 'group',
    'aria-label': `Setup for ${title}`,
  };
  return html`<pre ...${place}><code>${text}</code></pre>`;
}
