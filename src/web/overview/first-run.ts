// Send your first event: DSN, three steps by platform, and a line that waits and turns into the issue.
import type { OnboardingModel } from '../../core/page-models/onboarding.ts';
import { copyButton } from '../components/controls.ts';
import { bidiIsolated, codeBlock, pageHead } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted, formatTimeOfDay, timeElement } from '../formatters.ts';
import { type PageContent, type PageContext, pageUrl } from '../page-context.ts';

const title = 'Send your first event';
const platformField = 'platform';

export function firstRunPage(model: OnboardingModel, context: PageContext): PageContent {
  if (model.project === null) return { title, main: noProject(context) };
  return {
    title,
    main: [
      pageHead({ title }),
      html`<p class="soft">Notifier works with every Sentry SDK. Point one at this DSN.</p>`,
      html`<div class="cols flow space">
        <div>${dsnLine(model)}${steps(model, context)}</div>
        <div>${waitLine(model, context)}${nextSteps(model, context)}</div>
      </div>`,
    ],
  };
}

function noProject(context: PageContext): Content {
  const canMake = context.currentUser?.canManage === true;
  return [
    pageHead({ title }),
    html`<p class="soft">There is no project yet. ${canMake ? null : 'Ask an admin to create one.'}</p>`,
    canMake
      ? html`<p class="space">${pageLink(context, '/projects/new', { class: 'btn primary' }, 'Create project')}</p>`
      : null,
  ];
}

function dsnLine({ dsn, long_dsn: longDsn, public_key: key, project }: OnboardingModel): VNode {
  const name = bidiIsolated(project?.name ?? '');
  if (dsn === null) {
    const reason =
      key === null ? 'There is no active public key: create one.' : 'This key cannot be part of a DSN.';
    return html`<p class="note">Project ${name}: ${reason}</p>`;
  }
  return html`<div class="dsn">
    <p class="small dim" id="dl">DSN of project ${name}</p>
    <p class="line"><code id="dsn">${dsn}</code> ${copyButton('dsn', 'the DSN')}</p>
    ${longDsn === null || longDsn === dsn ? null : html`<p class="hint">Behind a WordPress site it is <code>${longDsn}</code>.</p>`}
  </div>`;
}

/** Tabs are links, so they work without scripts; with them the last choice is kept in this browser. */
function steps({ platforms }: OnboardingModel, context: PageContext): Content {
  const requested = context.query.get(platformField);
  const chosen = platforms.find(({ id }) => id === requested) ?? platforms[0];
  if (chosen === undefined) return null;
  const links = platforms.map(({ id, title: name }) =>
    pageLink(
      context,
      { path: context.path === '/setup' ? '/setup' : '/', query: { [platformField]: id } },
      { 'aria-current': id === chosen.id ? 'page' : null, 'data-choice': id },
      name,
    ),
  );
  const { install, file, configure, test } = chosen;
  return [
    html`<nav class="tabs wraptabs space" aria-label="Platform" data-keep=${platformField}>${links}</nav>`,
    el(
      'div',
      { class: 'steps2 space' },
      install === null ? null : step('install', 'Install', 'the install command', install),
      configure === null
        ? null
        : step(
            'configure',
            file === null ? 'Configure' : `Configure, in ${file}`,
            'the configuration',
            configure,
          ),
      step('test', 'Send a test error', 'the test error', test),
    ),
  ];
}

function step(id: string, heading: string, label: string, text: string): VNode {
  return html`<section aria-labelledby=${`s-${id}`}>
    <div class="top"><h2 id=${`s-${id}`}>${heading}</h2>${copyButton(`c-${id}`, label)}</div>
    ${codeBlock(heading, text, 'snip', `c-${id}`)}
  </section>`;
}

/** The script polls the JSON of the page; without it *Refresh* asks again. */
function waitLine(model: OnboardingModel, context: PageContext): Content {
  const { first_issue: issue, since, waiting } = model;
  const chosen = { [platformField]: context.query.get(platformField) };
  if (!waiting && issue !== null) {
    return html`<p class="waitline" role="status">
      <span>${statusMark('passed', 'First event received')}: ${pageLink(
        context,
        `/issues/${issue.issue_id}`,
        null,
        bidiIsolated(issue.title),
      )}</span>
    </p>`;
  }
  const target = { path: '/setup', query: chosen };
  const attributes = {
    class: 'waitline',
    role: 'status',
    'data-wait': pageUrl(context, '/setup.json'),
    'data-wait-while': 'waiting',
    'data-wait-then': pageUrl(context, target.path, target.query),
  };
  const at = timeElement(since, `${formatTimeOfDay(Date.parse(since))} UTC`, false);
  return html`<div ...${attributes}>
    <span>
      ${statusMark('pending', 'Waiting for the first event')} <span class="soft"> since ${at}. </span>
      ${rejected(model, context)}
    </span>
    ${pageLink(context, target, { class: 'btn small' }, 'Refresh')}
  </div>`;
}

function rejected({ refused, project, public_key_id: key }: OnboardingModel, context: PageContext): Content {
  if (refused.length === 0) return html`<span class="soft">Nothing received, nothing rejected.</span>`;
  const path = `/projects/${project?.project_id}`;
  const canManage = context.currentUser?.canManage === true;
  const lines = refused.map(({ outcome, reason, quantity }) => {
    const code = html`<code>${reason === '' ? outcome : reason}</code>`;
    const head = `${counted(quantity, 'item')} rejected: `;
    switch (reason) {
      case 'origin_not_allowed':
        return [
          head,
          'the key does not allow their origin. ',
          canManage && key !== null ? pageLink(context, `${path}/keys/${key}`, null, 'Allow it') : null,
        ];
      case 'unknown_domain':
        return [head, 'their domain is not listed. ', pageLink(context, '/domains', null, 'Allow it')];
      case 'bug_reports_disabled':
        return [head, 'feedback is off for their domain. ', pageLink(context, '/domains', null, 'Allow it')];
      default:
        return [
          head,
          code,
          '. ',
          outcome === 'filtered'
            ? pageLink(context, { path, hash: 'p-filters' }, null, 'Inbound filters')
            : null,
        ];
    }
  });
  return el('ul', { class: 'soft' }, ...lines.map((line) => el('li', null, line)));
}

function nextSteps({ waiting }: OnboardingModel, context: PageContext): VNode {
  const hint = (path: string, name: string, description: string): VNode =>
    html`<li>${pageLink(context, path, null, name)}<span>${description}</span></li>`;
  const then = waiting ? 'The line above turns into a link to your first issue. Then:' : 'You can now:';
  return html`<section class="sec" aria-labelledby="nx">
    <h2 id="nx">What happens next</h2>
    <p class="soft nextp">${then}</p>
    <ol class="next">
      ${hint('/artifacts', 'Upload source maps', 'Stack traces show your code, not the bundle.')}
      ${hint('/releases', 'Create a release in CI', 'See which release and commit broke it.')}
      ${hint('/alert-channels', 'Add an alert channel', 'Get new issues in Slack, e-mail or on call.')}
      ${hint('/members', 'Invite your team', 'Assign issues and share views.')}
    </ol>
    <p class="legend">Nothing arrives? Keys, limits and what was rejected are on ${' '}
      ${pageLink(context, '/projects', null, 'the page of the project')}.
    </p>
  </section>`;
}
