// The page that says how the pages are used: keys, words, how numbers are computed, what stands behind them.
import type { VNode } from 'preact';
import { buildLines } from '../../core/workspace/delivery/send-lines.ts';
import type { HelpModel } from '../../core/workspace/help.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { copyButton } from '../parts/controls.ts';
import { hiddenCaption, pairs, section } from '../parts/layout.ts';
import { mark } from '../parts/mark.ts';

/** Help and shortcuts. */
export function helpPage(model: HelpModel, frame: Frame): PageContent {
  const bulletin =
    'Every page is whole without a mouse and without scripts. Behind each stands the same page as JSON.';
  return {
    title: 'Help and shortcuts',
    main: [
      html`<h1>Help and shortcuts</h1>`,
      html`<p class="bulletin">${bulletin}</p>`,
      html`<div class="cols">
        <div class="col">${keys()}${words()}${numbers()}${searching()}${fromCi(model)}</div>
        <aside class="aside" aria-label="More help">
          ${runYourOwn(frame)}${forEverybody()}${asData()}${times()}${chain()}
        </aside>
      </div>`,
    ],
  };
}

const everywhere: ReadonlyArray<readonly [keys: string, what: string]> = [
  ['/', 'Search'],
  ['Ctrl K', 'Search, from anywhere'],
  ['g o', 'Overview'],
  ['g i', 'Issues'],
  ['g r', 'Releases'],
  ['g l', 'Live tail'],
  ['t', 'Light, dark, as the system'],
  ['?', 'This page'],
];

const inLists: ReadonlyArray<readonly [keys: string, what: string]> = [
  ['j', 'Next row'],
  ['k', 'Row before'],
  ['Enter', 'Open the row'],
  ['o', 'Open the row, too'],
  ['u', 'Up to the list'],
  ['[', 'Older event'],
  [']', 'Newer event'],
  ['space', 'Pause the live tail'],
];

function keys(): VNode {
  const isOn = html`<input type="checkbox" name="keys" checked />`;
  const kept = html`<span class="dim">(kept in this browser)</span>`;
  return section(
    { id: 'keys', title: 'Keys' },
    html`<div class="cols even keycols">
      ${keyTable('Keys everywhere', everywhere)}${keyTable('Keys in lists and events', inLists)}
    </div>`,
    html`<p class="ruled plainrule js"><label class="check">${isOn} Single keys are on ${kept}</label></p>`,
  );
}

function keyTable(caption: string, rows: typeof everywhere): VNode {
  return html`<table class="t keys2">
    ${hiddenCaption(caption)}
    <thead class="vh"><tr>${th('Key')}${th('What it does')}</tr></thead>
    <tbody>
      ${rows.map(([pressed, what]) => html`<tr><td class="r">${kbds(pressed)}</td><td>${what}</td></tr>`)}
    </tbody>
  </table>`;
}

function th(name: string): VNode {
  return html`<th scope="col">${name}</th>`;
}

function kbds(pressed: string): Content[] {
  return pressed.split(' ').flatMap((key) => [html`<kbd>${key}</kbd>`, ' ']);
}

function words(): VNode {
  return section(
    { id: 'words', title: 'Words' },
    pairs([
      ['Event', 'one error, as it was sent'],
      ['Issue', 'events with one cause: the same errors, broken in the same places'],
      [mark('new'), 'first seen within seven days'],
      [mark('regressed'), 'was resolved, and came back within the last seven days'],
      [mark('ongoing'), 'older than that, or opened again by hand'],
      [mark('ignored'), 'set aside until a time, a count, a number of users, or for ever'],
      [mark('resolved'), 'done, from a moment or a release on'],
      ['Observed, stored', 'all events are counted; of an old or loud issue only some are kept'],
      ['Crash-free', 'sessions that did not end in a crash, of all that a release had'],
    ]),
  );
}

function numbers(): VNode {
  return section(
    { id: 'numbers', title: 'How numbers are computed' },
    pairs([
      ['Events', 'counted as they come, also those that are no longer stored; by the hour of their arrival'],
      [
        '24 h of an issue',
        'its stored events by five minutes of their arrival, as rules of alerts count them',
      ],
      ['Users', 'told apart by a keyed hash; addresses are not stored; an issue counts 10,000'],
      ['Shares', 'never rounded to 0% or 100% unless they are'],
      ['The last bar', 'is still counting, and hatched'],
      ['Differences', 'compare with as long a time before'],
      ['Days', 'from 00:00 to 24:00 UTC; weeks begin on Monday'],
    ]),
  );
}

function searching(): VNode {
  return section(
    { id: 'searching', title: 'Searching' },
    el(
      'div',
      { class: 'ruled' },
      el(
        'p',
        null,
        'Exact ids come first: an event (32 letters and digits), ',
        html`<code>#1043</code>`,
        ', a version, a commit, a checksum, a host. Everything else is looked for in titles, messages, places, files and tags. Upper and lower case are one, in all scripts.',
      ),
    ),
  );
}

function fromCi({ api_url: apiUrl }: HelpModel): VNode {
  return section(
    { id: 'ci', title: 'From CI', beside: copyButton('ci-lines', 'these lines') },
    html`<pre class="snip" id="ci-lines" tabindex="0"><code>${buildLines(apiUrl)}</code></pre>`,
  );
}

function forEverybody(): VNode {
  const meant =
    'Meant to meet WCAG 2.2 AA: 4.5:1 for text, 3:1 for marks and plots, a shape and a word for every state, no sideways scroll at 320 px and at 200%, nothing that moves.';
  return html`<section aria-labelledby="everybody">
    <h2 id="everybody">For everybody</h2>
    <div class="why"><p>${meant}</p><p>Plots have a sentence as their name and a table below.</p></div>
  </section>`;
}

function asData(): VNode {
  return section(
    { id: 'data', title: 'As data' },
    pairs([
      [html`<code>.json</code>`, 'behind every address'],
      [html`<code>.md</code>`, 'issues and events'],
      [html`<code>.csv</code>`, 'the audit history, test runs'],
    ]),
  );
}

function times(): VNode {
  return section(
    { id: 'times', title: 'Times' },
    html`<div class="ruled"><p>All times are UTC. Point at one to see it in full.</p></div>`,
  );
}

function chain(): VNode {
  return section(
    { id: 'chain', title: 'Audit chain' },
    el(
      'div',
      { class: 'ruled' },
      el(
        'p',
        null,
        'Each entry carries the hash of the one before. ',
        html`<code>notifier verify-audit</code>`,
        ' goes through all of them.',
      ),
    ),
  );
}

/** In the demo: how to have such a workspace. */
function runYourOwn(frame: Frame): VNode | null {
  if (frame.demo === undefined) return null;
  return section(
    { id: 'own', title: 'Run your own', beside: copyButton('own-lines', 'these lines') },
    el(
      'p',
      null,
      'One program with one file for its data. It makes a project, prints its keys, and shows each error as it happens.',
    ),
    html`<pre class="snip" id="own-lines" tabindex="0"><code>${'npm ci\nnpm start'}</code></pre>`,
  );
}
