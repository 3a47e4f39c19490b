import type { VNode } from 'preact';
import type { OnboardingModel } from '../../core/page-models/onboarding.ts';
import { copyButton } from '../components/controls.ts';
import { bidiIsolated, nameValueList, section, visuallyHidden } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { timeElement } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import { formatTimeOfDay } from '../formatters/times.ts';
import { type PageContent, type PageContext, pageUrl } from '../page-context.ts';
import { snippetBlock, snippetSection } from '../projects/snippets.ts';

export function firstRunPage(model: OnboardingModel, context: PageContext): PageContent {
  const title = 'Send your first event';
  const bulletin =
    'Notifier works with every Sentry SDK. Point one at this DSN, or send a test event from a shell.';
  if (model.project === null) return { title, main: noProject(title, context) };
  return {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      <p class="bulletin">${bulletin}</p>
      ${snippets(model, context)}${waiting(model, context)}${keys(model, context)}${afterThat(context)}
    </div>`,
  };
}

function noProject(title: string, frame: PageContext): VNode {
  const canMake = frame.visitor?.canManage === true;
  const way = canMake
    ? pageLink(frame, { path: '/projects' }, null, 'Create project')
    : 'Ask an admin to create one.';
  return html`<div class="narrow">
    <h1>${title}</h1>
    <p class="bulletin">There is no project yet. ${way}</p>
  </div>`;
}

/** The curl snippet is open, because it needs no installation; the others can be selected. */
function snippets(model: OnboardingModel, frame: PageContext): Content[] {
  const all = model.snippets;
  const shell = all.find(({ id }) => id === 'curl');
  const others = all.filter((each) => each !== shell);
  return [
    shell === undefined
      ? null
      : section(
          { id: 't-curl', title: 'From a shell', beside: copyButton('s-curl', 'the shell command') },
          snippetBlock(shell),
        ),
    snippetSection(others, model, { id: 'more', title: 'From your application', path: '/' }, frame),
  ];
}

/** The script polls the JSON representation of this page. */
function waiting(model: OnboardingModel, frame: PageContext): VNode {
  const { refused, since } = model;
  const refusedInAll = refused.reduce((sum, { quantity }) => sum + quantity, 0);
  const said =
    refusedInAll === 0
      ? 'Nothing received, nothing rejected.'
      : `${counted(refusedInAll, 'item')} were received in the last 7 days and ${refusedInAll === 1 ? 'was' : 'were'} not kept: `;
  return el(
    'figure',
    {
      class: 'sec waiting',
      'aria-labelledby': 'waits',
      'data-wait': pageUrl(frame, '/overview.json'),
      'data-wait-while': 'waiting',
    },
    html`<figcaption id="waits">
      <span>
        ${statusMark('pending', 'Waiting for the first event')}
        , listening at ${timeElement(since, formatTimeOfDay(Date.parse(since)), false)}
      </span>
      ${pageLink(frame, { path: '/' }, { class: 'btn small' }, 'Refresh')}
    </figcaption>`,
    emptyPlot(),
    el(
      'p',
      { class: 'hint' },
      html`<span class="js">This page updates when an event arrives. </span>`,
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

function keys(model: OnboardingModel, frame: PageContext): VNode {
  const { public_key: publicKey, secret_key_end: end, domains, project } = model;
  const projectPage = { path: `/projects/${project?.project_id}` };
  return section(
    {
      id: 'keys',
      title: 'Keys of this project',
      beside: pageLink(frame, projectPage, { class: 'small' }, 'Project'),
    },
    nameValueList([
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
              visuallyHidden(', of which only the last characters are stored'),
              ' ',
              html`<span class="dim">shown once, when it was created</span>`,
            ],
      ],
      ['Allowed origins', domains.length === 0 ? 'none' : bidiIsolated(domains.join(', '))],
    ]),
  );
}

function afterThat(frame: PageContext): VNode {
  const way = (path: string, name: string, why: string): VNode =>
    html`<li>${pageLink(frame, { path }, null, name)}<span>${why}</span></li>`;
  return section(
    { id: 'after', title: 'What happens next' },
    html`<ul class="next">
      ${way('/releases', 'Create releases in CI', 'so that each error shows the release it first appeared in')}
      ${way('/artifacts', 'Upload source maps', 'so that stack traces show your original source')}
      ${way('/test-runs', 'Send test results', 'to see failures and flaky tests beside errors')}
    </ul>`,
  );
}
