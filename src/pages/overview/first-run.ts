// The page of a workspace into which nothing has come yet: lines to send, keys, and an empty plot that waits.
import type { VNode } from 'preact';
import type { FirstRunModel } from '../../core/workspace/first-run.ts';
import { type Content, el, html } from '../el.ts';
import { addressOf, type Frame, type PageContent } from '../frame.ts';
import { copyButton } from '../parts/controls.ts';
import { hidden, outside, pairs, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { moment } from '../parts/time.ts';
import { snippetLines, snippetSection } from '../projects/snippets.ts';
import { counted } from '../words/numbers.ts';
import { timeOfDay } from '../words/times.ts';

/** Nothing has arrived yet. */
export function firstRunPage(model: FirstRunModel, frame: Frame): PageContent {
  const title = 'Nothing has arrived yet';
  const bulletin =
    'Send one error and it stands here a moment later. Two lines are enough, from a shell or from your program.';
  if (model.project === null) return { title, main: noProject(title, frame) };
  return {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      <p class="bulletin">${bulletin}</p>
      ${snippets(model, frame)}${waiting(model, frame)}${keys(model, frame)}${afterThat(frame)}
    </div>`,
  };
}

function noProject(title: string, frame: Frame): VNode {
  const canMake = frame.visitor?.canManage === true;
  const way = canMake
    ? pageLink(frame, { path: '/projects' }, null, 'Make a project')
    : 'An admin makes one.';
  return html`<div class="narrow">
    <h1>${title}</h1>
    <p class="bulletin">There is no project that anything could be sent to. ${way}</p>
  </div>`;
}

/** A shell needs nothing but itself, so its lines stand open; the others are chosen from. */
function snippets(model: FirstRunModel, frame: Frame): Content[] {
  const all = model.snippets;
  const shell = all.find(({ id }) => id === 'curl');
  const others = all.filter((each) => each !== shell);
  return [
    shell === undefined
      ? null
      : section(
          { id: 't-curl', title: 'From a shell', beside: copyButton('s-curl', 'the lines for a shell') },
          snippetLines(shell),
        ),
    snippetSection(others, model, { id: 'more', title: 'From your program', path: '/' }, frame),
  ];
}

/** The script looks for the end of waiting at the twin of this page. */
function waiting(model: FirstRunModel, frame: Frame): VNode {
  const { refused, since } = model;
  const refusedInAll = refused.reduce((sum, { quantity }) => sum + quantity, 0);
  const said =
    refusedInAll === 0
      ? 'Nothing was refused so far.'
      : `${counted(refusedInAll, 'item')} came in the last 7 days and ${refusedInAll === 1 ? 'was' : 'were'} not kept: `;
  return el(
    'figure',
    {
      class: 'sec waiting',
      'aria-labelledby': 'waits',
      'data-wait': addressOf(frame, '/overview.json'),
      'data-wait-while': 'waiting',
    },
    html`<figcaption id="waits">
      <span>
        ${mark('pending', 'Waiting for the first event')}
        , listening at ${moment(since, timeOfDay(Date.parse(since)), false)}
      </span>
      ${pageLink(frame, { path: '/' }, { class: 'btn small' }, 'Look again')}
    </figcaption>`,
    emptyPlot(),
    el(
      'p',
      { class: 'hint' },
      html`<span class="js">This page changes by itself when something arrives. </span>`,
      said,
      refused.flatMap(({ outcome, reason, quantity }, at) => [
        at === 0 ? '' : ', ',
        `${counted(quantity, 'time')} `,
        html`<code>${reason === '' ? outcome : reason}</code>`,
      ]),
    ),
  );
}

function emptyPlot(): VNode {
  const line = (className: string, y: number): VNode =>
    html`<line class=${className} x1="0" x2="100%" y1=${y} y2=${y}></line>`;
  return html`<svg class="plot hist" width="100%" height="112" role="img" aria-label="No events yet">
    ${line('grid', 19)}${line('grid', 56)}<rect class="wait" x="97%" y="48" width="3%" height="46"></rect>
    ${line('axis', 94)}<text class="xlab" x="100%" y="110" text-anchor="end">now</text>
  </svg>`;
}

function keys(model: FirstRunModel, frame: Frame): VNode {
  const { public_key: publicKey, secret_key_end: end, domains, project } = model;
  const projectPage = { path: `/projects/${project?.project_id}` };
  return section(
    {
      id: 'keys',
      title: 'Keys of this project',
      beside: pageLink(frame, projectPage, { class: 'small' }, 'The project'),
    },
    pairs([
      [
        'Public key',
        publicKey === null
          ? 'none'
          : [html`<code id="k-public">${publicKey}</code>`, ' ', copyButton('k-public', 'the public key')],
      ],
      [
        'Secret key',
        end === null
          ? 'none'
          : [
              html`<code>ntf_sk_••••${end}</code>`,
              hidden(', of which only the end is kept'),
              ' ',
              html`<span class="dim">shown once, when it was made</span>`,
            ],
      ],
      ['Browser origins', domains.length === 0 ? 'none' : outside(domains.join(', '))],
    ]),
  );
}

/** What makes more of errors; each page has the lines that send it. */
function afterThat(frame: Frame): VNode {
  const way = (path: string, name: string, why: string): VNode =>
    html`<li>${pageLink(frame, { path }, null, name)}<span>${why}</span></li>`;
  return section(
    { id: 'after', title: 'After that' },
    html`<ul class="next">
      ${way('/releases', 'Tell it your releases', 'one line in CI, and each error knows where it began')}
      ${way('/artifacts', 'Upload source maps', 'stacks show your code instead of the bundle')}
      ${way('/test-runs', 'Send test results', 'flaky tests and failures beside the errors they foretell')}
    </ul>`,
  );
}
