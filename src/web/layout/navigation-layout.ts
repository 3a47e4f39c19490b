import { unsubmittedForm } from '../components/controls.ts';
import { codeList, visuallyHidden } from '../components/elements.ts';
import { icon } from '../components/icons.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { fullTime } from '../formatters.ts';
import {
  type NavigationCount,
  navigationItems,
  type PageContent,
  type PageContext,
  samePage,
} from '../page-context.ts';
import { noticeText } from './notices.ts';

/** The signal flag for N, the logo. */
const flag = 'M0 0h4v4H0zM8 0h4v4H8zM4 4h4v4H4zM12 4h4v4h-4zM0 8h4v4H0zM8 8h4v4H8zM4 12h4v4H4zM12 12h4v4h-4z';

export function navigationLayout(page: PageContent, context: PageContext): VNode {
  return html`<div class="shell">
    <header class="side">
      ${logoLink(context)}<button class="btn small menu-btn" type="button" popovertarget="nav">Menu</button>
      ${navigation(context)}
    </header>
    <div class="page">
      ${demoBanner(context)}${breadcrumbNav(page, context)}
      <main id="main" tabindex=${-1}>${page.showsNotice === true ? null : noticeOf(context)}${unsupportedQueryNote(page)}${page.main}</main>${pageFooter(context)}
    </div>
    ${context.demo === undefined ? null : unsubmittedForm()}
  </div>`;
}

export function bareLayout(page: PageContent): VNode {
  return html`<main id="main" class="gate" tabindex=${-1}>${page.main}</main>`;
}

function demoBanner(context: PageContext): Content {
  if (context.demo === undefined) return null;
  return html`<section class="demo-note" aria-label="About this demo">
    <b>Demo workspace.</b>${' '}${context.demo.company}
    ${' '}and all figures are invented. Nothing here can be changed.${' '}
    ${pageLink(context, { path: '/help', hash: 'own', query: { project: null } }, null, 'Run your own')}
  </section>`;
}

export function logoLink(context: PageContext): VNode {
  const logo = html`<svg class="flag" width="16" height="16" aria-hidden="true">
    <path d=${flag}></path>
  </svg>`;
  return pageLink(context, { path: '/', query: { project: null } }, { class: 'brand' }, logo, 'Notifier');
}

function navigation(context: PageContext): VNode {
  return html`<div class="nav" id="nav" popover="auto">
    <button class="btn small menu-btn" type="button" popovertarget="nav" popovertargetaction="hide">
      Close
    </button>
    ${projectMenu(context)}${searchForm(context)}
    <nav aria-label="Workspace">${navigationGroups(context)}</nav>
    <div class="side-foot">${schemeChoice()}<ul>${help(context)}${account(context)}</ul></div>
  </div>`;
}

/** Selecting a project keeps the current page if it is a list. */
function projectMenu(context: PageContext): Content[] {
  const { projects, project } = context;
  if (projects.length === 0) return [];
  const listed = navigationItems.some(({ path }) => path === context.path) ? context.path : '/';
  const choice = (id: number | null, name: string, small: string | null): VNode =>
    html`<li>
      ${pageLink(
        context,
        { path: listed, query: { project: id } },
        { 'aria-current': (project?.id ?? null) === id ? 'true' : null },
        html`<bdi>${name}</bdi>`,
        small === null ? null : html`<span class="dim">${small}</span>`,
      )}
    </li>`;
  const all = projects.length === 1 ? '1 project' : `${projects.length} projects`;
  return [
    html`<button class="pick" type="button" popovertarget="projects">
      ${visuallyHidden('Project: ')}<span>${project?.name ?? 'All projects'}</span>${icon('caret')}
    </button>`,
    html`<div class="menu" id="projects" popover="auto">
      <ul>${choice(null, 'All projects', all)}${projects.map(({ id, name }) => choice(id, name, null))}</ul>
    </div>`,
  ];
}

function searchForm(context: PageContext): VNode {
  const { project } = context;
  return html`<form class="find" action="${context.base}/search" role="search" aria-label="Everything">
    <label class="vh" for="q0">Search everything</label>
    <button type="submit" aria-label="Search">${icon('search')}</button>
    ${project === null ? null : html`<input type="hidden" name="project" value=${project.id} />`}
    <input id="q0" name="q" type="search" placeholder="Search" autocomplete="off" maxlength="200" />
    <kbd class="js">/</kbd>
  </form>`;
}

function navigationGroups(context: PageContext): Content[] {
  const groups = new Map<string | null, VNode[]>();
  for (const { group, path, name } of navigationItems) {
    const items = groups.get(group) ?? [];
    items.push(navigationItem(context, path, name, context.counts[path]));
    groups.set(group, items);
  }
  return [...groups].flatMap(([group, items]) => [
    group === null ? null : html`<h2>${group}</h2>`,
    html`<ul>${items}</ul>`,
  ]);
}

function navigationItem(
  context: PageContext,
  path: string,
  name: string,
  count: NavigationCount | undefined,
): VNode {
  const isCurrent = path === '/' ? context.path === '/' : `${context.path}/`.startsWith(`${path}/`);
  return html`<li>
    ${pageLink(
      context,
      path,
      { 'aria-current': isCurrent ? (context.path === path ? 'page' : 'true') : null },
      name,
      count === undefined ? null : html`<span class=${count.isBad ? 'n bad' : 'n'}>${count.text}</span>`,
    )}
  </li>`;
}

function schemeChoice(): VNode {
  const choice = (value: string, name: string): VNode =>
    html`<label>
      <input type="radio" name="theme" value=${value} checked=${value === 'auto'} /><span>${name}</span>
    </label>`;
  return html`<fieldset class="theme">
    <legend class="vh">Colour scheme</legend>${choice('auto', 'Auto')}${choice('light', 'Light')}
    ${choice('dark', 'Dark')}
  </fieldset>`;
}

function help(context: PageContext): Content {
  const attributes = { 'aria-current': context.path === '/help' ? 'page' : null };
  const ofApi = { 'aria-current': context.path.startsWith('/help/api') ? 'page' : null };
  return html`<li class="pair">
    ${pageLink(context, '/help', attributes, 'Help')}${pageLink(context, '/help/api', ofApi, 'API reference')}
  </li>`;
}

/** Sign out leads to a page with a button, because a GET request must not sign out. */
function account(context: PageContext): Content {
  const { currentUser } = context;
  if (currentUser === null || context.demo !== undefined) return null;
  const name = html`<span class="n"><bdi>${currentUser.name}</bdi></span>`;
  const query = { project: null };
  const attributes = { 'aria-current': context.path === '/settings' ? 'page' : null };
  return html`<li>${pageLink(context, { path: '/settings', query }, attributes, 'Settings', name)}</li>
    <li>${pageLink(context, { path: '/sign-out', query }, null, 'Sign out')}</li>`;
}

function breadcrumbNav({ breadcrumbs }: PageContent, context: PageContext): Content {
  if (breadcrumbs === undefined || breadcrumbs.length === 0) return null;
  return html`<nav class="crumbs" aria-label="Breadcrumb">
    <ol>
      ${breadcrumbs.map(({ name, path }) => {
        const text = html`<bdi>${name}</bdi>`;
        return html`<li>${path === null ? text : pageLink(context, path, null, text)}</li>`;
      })}
    </ol>
  </nav>`;
}

function noticeOf({ notice }: PageContext): Content {
  const text = notice === null ? null : noticeText(notice);
  return text === null ? null : html`<p class="note" role="status">${text}</p>`;
}

function unsupportedQueryNote({ leftOut: names = [] }: PageContent): Content {
  if (names.length === 0) return null;
  return html`<p class="note" role="status">Unknown parameters, ignored: ${codeList(names)}.</p>`;
}

function pageFooter(context: PageContext): VNode {
  const generated = fullTime(new Date(context.nowMs).toISOString());
  return html`<footer class="foot">
    <p>Generated ${generated}${context.timeZone === 'UTC' ? null : `, times in ${context.timeZone}`}</p>
    <p>Notifier ${context.version}</p>
    ${jsonLink(context)}
  </footer>`;
}

function jsonLink(context: PageContext): Content {
  if (context.jsonPath === null) return null;
  const json = { ...samePage(context), path: context.jsonPath };
  return html`<p>${pageLink(context, json, null, 'This page as JSON')}</p>`;
}
