// What was said of a release when it was made: where it comes from, its commits with the files they changed,
// and whatever else came along.
import type { VNode } from 'preact';
import type { ReleaseModel } from '../../core/workspace/delivery/release.ts';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { hiddenCaption, pairs, section } from '../parts/layout.ts';
import { webLink } from '../parts/link.ts';
import { shortTime } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { bagRows, code, commitCode, momentRows, told } from './words.ts';

type Commit = ReleaseModel['commits'][number];

/** The commits that came with it. */
export function commitsPart({ commits, release }: ReleaseModel, frame: Frame): Content {
  if (commits.length === 0) return null;
  const all = release.commit_count;
  const beside =
    all > commits.length ? html`<span class="small dim">${commits.length} of ${count(all)}</span>` : null;
  const rows = commits.map((commit) => commitRow(commit, frame));
  return section(
    { id: 'commits', title: 'Commits', beside },
    html`<table class="t mini">${hiddenCaption('Commits of this release')}<tbody>${rows}</tbody></table>`,
  );
}

function commitRow(commit: Commit, frame: Frame): VNode {
  const { id, message, author, repository, at } = commit;
  const [first = id, ...others] = message?.split('\n') ?? [];
  const rest = others.join('\n').trim();
  return html`<tr>
    <td>
      <span class="ttl">${told(first)}</span>
      <span class="cul">
        ${commitCode(id)}${author === null ? null : [' ', told(author)]}
        ${repository === null ? null : [', ', told(repository)]}
        ${at === null ? null : [', ', shortTime(at, frame.nowMs)]}
      </span>
      ${rest === '' ? null : folded('The whole message', html`<p class="said">${told(rest)}</p>`)}
      ${filesOf(commit)}
    </td>
  </tr>`;
}

const changeWords: Readonly<Record<string, string>> = { A: 'added', M: 'changed', D: 'removed' };

/** The files that a commit changed. */
function filesOf({ paths, path_count: all }: Commit): Content {
  if (all === 0) return null;
  const lines = paths.map(
    ({ path, type }) => html`<li>${code(path)}<span class="dim"> ${changeWords[type] ?? ''}</span></li>`,
  );
  const left = all - paths.length;
  return folded(
    counted(all, 'file'),
    html`<ul>${lines}</ul>`,
    left === 0 ? null : html`<p class="hint">${counted(left, 'file')} more in the API.</p>`,
  );
}

function folded(title: string, ...content: Content[]): VNode {
  return html`<details class="small"><summary>${title}</summary>${content}</details>`;
}

/** Where it comes from, and what was sent along. */
export function aboutPart({ release, refs }: ReleaseModel): Content {
  // A commit that is named with its repository need not be named again.
  const isNamed = (commit: string): boolean => refs.some((each) => each.commit === commit);
  const { ref, last_commit: newest } = release;
  const rows: Array<readonly [Content, Content]> = [
    ['Package', release.package === null ? null : told(release.package)],
    ['Reference', ref === null || isNamed(ref) ? null : code(ref)],
    ['Page', release.url === null ? null : webLink(release.url, told(release.url))],
    ['Newest commit', newest === null || newest === ref || isNamed(newest) ? null : code(newest)],
    ...refs.map(
      ({ repository, commit, previous }) => [told(repository), refWords(commit, previous)] as const,
    ),
    ...momentRows([
      ['Begun', release.date_started],
      ['Out since', release.date_released],
    ]),
    ...bagRows(release.metadata),
  ];
  if (rows.every(([, value]) => value === null)) return null;
  return section({ id: 'about', title: 'What was said of it' }, pairs(rows));
}

function refWords(commit: string, previous: string | null): Content {
  return previous === null ? code(commit) : [code(commit), ' after ', code(previous)];
}
