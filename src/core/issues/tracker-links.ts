import type { IssueDetails } from '../../../schemas/issues.ts';
import { audited, formatActor } from '../audit/audit.ts';
import { issueAuditEvent } from '../audit/events.ts';
import { createInvalidParamError, createNotFoundError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Issue } from '../store/issues.ts';
import { type IssueLink, issueLinksMax } from '../store/triage.ts';

const urlCharactersMax = 2_048;
const labelCharactersMax = 60;
const titleCharactersMax = 200;

/** `label` is `acme/shop#12`, `PAY-512`, or host and path; `service` is `GitHub`, `Jira` …, or the host. */
export type IssueLinkView = Readonly<IssueDetails['links'][number]>;

export function viewIssueLink({ id, url, createdAtMs, createdBy }: IssueLink): IssueLinkView {
  return { link_id: id, url, ...nameOf(new URL(url)), added: formatTime(createdAtMs), added_by: createdBy };
}

/** Throws 400 for an address that is not https, that is linked already, or one too many. */
export const addIssueLink = audited(async ({ store, now, by }, issue: Issue, text: string) => {
  const url = parseHttpsUrl(text);
  if (url === null) {
    throw createInvalidParamError({ link: 'Enter a URL that starts with https://, without a password.' });
  }
  const existing = await store.listIssueLinks(issue.projectId, issue.id);
  if (existing.length >= issueLinksMax) {
    throw createInvalidParamError({ link: `An issue can have at most ${issueLinksMax} links.` });
  }
  const { projectId, id: issueId } = issue;
  const fields = { projectId, issueId, url, createdAtMs: now(), createdBy: by.actor.name };
  const result = await store.addIssueLink(fields, formatActor(by));
  if (result === null) throw createInvalidParamError({ link: 'This issue already has this link.' });
  return { result, auditEvent: issueAuditEvent(issue, 'issue.linked', hostAndPath(url)) };
});

/** Throws 404. */
export const removeIssueLink = audited(async ({ store, now, by }, issue: Issue, linkId: number) => {
  const links = await store.listIssueLinks(issue.projectId, issue.id);
  const link = links.find(({ id }) => id === linkId);
  const action = { actor: formatActor(by), nowMs: now() };
  if (link === undefined || !(await store.removeIssueLink(issue.projectId, linkId, action))) {
    throw createNotFoundError('issue');
  }
  return { result: null, auditEvent: issueAuditEvent(issue, 'issue.unlinked', hostAndPath(link.url)) };
});

function hostAndPath(url: string): string {
  const { host, pathname } = new URL(url);
  return cutText(host + pathname, 200);
}

/** Null unless it is an https URL without credentials. */
export function parseHttpsUrl(text: string): string | null {
  const trimmed = text.trim();
  const url = trimmed.length > urlCharactersMax ? null : URL.parse(trimmed);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  return url.href.length > urlCharactersMax ? null : url.href;
}

function nameOf({ host, pathname }: URL): { readonly label: string; readonly service: string } {
  const gitlab = /^\/(.+?)\/-\/(issues|work_items|merge_requests)\/(\d+)/.exec(pathname);
  if (gitlab !== null) {
    const prefix = gitlab[2] === 'merge_requests' ? '!' : '#';
    return named(`${gitlab[1]}${prefix}${gitlab[3]}`, 'GitLab');
  }
  const github = /^\/([^/]+\/[^/]+)\/(?:issues|pull|pulls)\/(\d+)/.exec(pathname);
  if (github !== null) return named(`${github[1]}#${github[2]}`, host === 'github.com' ? 'GitHub' : host);
  const linear = host === 'linear.app' ? /\/issue\/([A-Z][A-Z0-9]*-\d+)/i.exec(pathname) : null;
  if (linear !== null) return named((linear[1] ?? '').toUpperCase(), 'Linear');
  const jira = /\/browse\/([A-Z][A-Z0-9_]*-\d+)/i.exec(pathname);
  if (jira !== null) return named((jira[1] ?? '').toUpperCase(), 'Jira');
  return named(`${host}${pathname === '/' ? '' : pathname}`, host);
}

function named(label: string, service: string): { readonly label: string; readonly service: string } {
  return { label: cutText(label, labelCharactersMax), service };
}

/** The form of a new issue at the project's repository, filled in; null without a repository. */
export function newIssueUrl(repositoryUrl: string, issue: Issue, pageUrl: string): string | null {
  if (repositoryUrl === '') return null;
  const title = cutText(issue.title, titleCharactersMax).toWellFormed();
  const body = `${issue.culprit}\n\n${pageUrl}`.trim().toWellFormed();
  const isGitLab = hostOf(repositoryUrl).includes('gitlab');
  const query = isGitLab
    ? new URLSearchParams({ 'issue[title]': title, 'issue[description]': body })
    : new URLSearchParams({ title, body });
  return `${repositoryUrl}${isGitLab ? '/-' : ''}/issues/new?${query}`;
}

export function commitUrl(repositoryUrl: string, commitId: string): string | null {
  if (repositoryUrl === '') return null;
  const host = hostOf(repositoryUrl);
  const path = host.includes('gitlab') ? '/-/commit/' : host === 'bitbucket.org' ? '/commits/' : '/commit/';
  return repositoryUrl + path + encodeURIComponent(commitId);
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
