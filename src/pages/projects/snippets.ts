// Lines to send, one kind of program at a time behind tabs: each whole, with the real key and address. The
// tabs are links, so that they work without a script, can be sent to somebody, and paper has what was chosen.
import type { VNode } from 'preact';
import type { Snippet } from '../../core/workspace/snippets.ts';
import { el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { copyButton } from '../parts/controls.ts';
import { section, tabs } from '../parts/layout.ts';

/** The member of the query that chooses. */
const chosenBy = 'lines';

/** Both forms of the DSN in the lines, alike where there is one alone. */
type Dsns = { readonly dsn: string | null; readonly long_dsn: string | null };

export interface SnippetPlace {
  /** Names the section in its page, and what it is called. */
  readonly id: string;
  readonly title: string;
  /** The page that it stands on, which an act may have been answered with. */
  readonly path: string;
}

/** The lines that the query chooses, else the first; a choice that is none is the first too. */
export function snippetSection(
  all: readonly Snippet[],
  { dsn, long_dsn: longDsn }: Dsns,
  { id, title, path }: SnippetPlace,
  frame: Frame,
): VNode {
  const asked = frame.query.get(chosenBy);
  const chosen = all.find((each) => each.id === asked) ?? all[0];
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
    tabs(frame, title, choices),
    snippetLines(chosen),
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

/** The lines alone. */
export function snippetLines({ id, title, text }: Snippet): VNode {
  const place = {
    class: 'snip',
    id: `s-${id}`,
    tabindex: 0,
    role: 'group',
    'aria-label': `Setup for ${title}`,
  };
  return html`<pre ...${place}><code>${text}</code></pre>`;
}
