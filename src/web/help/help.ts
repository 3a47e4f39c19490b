import { buildServerCommands } from '../../core/page-models/delivery/ci-snippets.ts';
import { startCommand } from '../../core/parsing/command-name.ts';
import { copyButton } from '../components/controls.ts';
import { codeBlock, nameValueList, pageHead, plainSection, section } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { keysNote, keyTables } from '../components/keys.ts';
import { el, html, pageLink, type VNode } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { codeLines } from './api-reference.ts';

export function helpPage(model: { readonly api_url: string }, context: PageContext): PageContent {
  const intro = 'Every page works without a mouse and without scripts. Each page is also available as JSON.';
  return {
    title: 'Help and shortcuts',
    main: [
      pageHead({ title: 'Help and shortcuts' }),
      html`<p class="bulletin">${intro}</p>`,
      html`<div class="cols">
        <div class="col">${keys(context)}${termsSection()}${numbers()}${searching()}${commits()}${ciSection(model)}</div>
        <aside class="aside" aria-label="More help">
          ${runYourOwn(context)}${accessibilitySection()}${asData(context)}${times()}${chain()}
        </aside>
      </div>`,
    ],
  };
}

function keys(context: PageContext): VNode {
  return section(
    { id: 'keys', title: 'Keys' },
    html`<div class="cols even keycols">${keyTables()}</div>`,
    keysNote(context),
  );
}

function commits(): VNode {
  return section(
    { id: 'commits', title: 'Suspect commits' },
    html`<p>
      Send the commits of a release, with their files, when you build it. An issue then shows the newest commit
      that touched a file of its stack.
    </p>`,
    codeBlock('Command', 'sentry-cli releases set-commits VERSION --local', 'snip'),
  );
}

function termsSection(): VNode {
  return section(
    { id: 'words', title: 'Terms' },
    nameValueList([
      ['Event', 'one error, as it was sent'],
      ['Issue', 'events with the same cause: same error, same location'],
      [statusMark('new'), 'first seen within seven days'],
      [statusMark('regressed'), 'was resolved and occurred again within the last seven days'],
      [statusMark('ongoing'), 'older than that, or reopened manually'],
      [statusMark('ignored'), 'ignored until a date, a number of events or users, or forever'],
      [statusMark('resolved'), 'fixed, now or in a release'],
      ['Observed, stored', 'all events are counted; only some events of old or frequent issues are stored'],
      ['Crash-free', "share of a release's sessions that did not end in a crash"],
    ]),
  );
}

function numbers(): VNode {
  return section(
    { id: 'numbers', title: 'How figures are computed' },
    nameValueList([
      ['Events', 'counted when received, including those no longer stored; by hour of arrival'],
      ['24 h of an issue', 'stored events in five-minute steps of arrival, as alert rules count them'],
      ['Users', 'distinguished by a keyed hash; IP addresses are not stored; at most 10,000 per issue'],
      ['Shares', 'never rounded to 0% or 100%'],
      ['The last bar', 'is incomplete, shown hatched'],
      ['Differences', 'compared with the previous period of the same length'],
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
        'Exact IDs come first: an event (32 letters and digits), ',
        html`<code>#1043</code>`,
        ', a version, a commit, a checksum, a host. Everything else is searched in titles, messages, functions, files and tags. Case does not matter, in any script.',
      ),
    ),
  );
}

function ciSection({ api_url: apiUrl }: { readonly api_url: string }): VNode {
  return section(
    { id: 'ci', title: 'From CI', aside: copyButton('ci-lines', 'setup instructions') },
    codeLines('ci-lines', buildServerCommands(apiUrl)),
  );
}

function accessibilitySection(): VNode {
  const standards =
    'Designed for WCAG 2.2 AA: 4.5:1 contrast for text, 3:1 for icons and charts, a shape and a word for every state, no sideways scroll at 320 px or 200%, no motion.';
  const text = html`<div class="why"><p>${standards}</p><p>Charts have a text alternative and a table.</p></div>`;
  return plainSection('everybody', 'Accessibility', text);
}

function asData(context: PageContext): VNode {
  return section(
    { id: 'data', title: 'API' },
    nameValueList([
      [pageLink(context, '/help/api', null, 'API reference'), 'all routes, with curl'],
      [html`<code>.json</code>`, "add to any page's URL"],
      [html`<code>.md</code>`, 'issues and events'],
      [html`<code>.csv</code>`, 'audit log, test runs'],
    ]),
  );
}

function times(): VNode {
  return section(
    { id: 'times', title: 'Times' },
    html`<div class="ruled"><p>Times are in the time zone of your settings. Hover over one for UTC.</p></div>`,
  );
}

function chain(): VNode {
  return section(
    { id: 'chain', title: 'Audit chain' },
    html`<div class="ruled">
      <p>
        Each entry contains the hash of the previous one.${' '}<code>notifier audit verify</code>
        ${' '}verifies all of them.
      </p>
    </div>`,
  );
}

function runYourOwn(context: PageContext): VNode | null {
  if (context.demo === undefined) return null;
  return section(
    { id: 'own', title: 'Run your own', aside: copyButton('own-lines', 'setup instructions') },
    html`<p>
      One program with one data file. It creates a project, prints its keys and shows errors as they happen.
    </p>`,
    codeLines('own-lines', startCommand),
  );
}
