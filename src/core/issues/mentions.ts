// Members who are named in a comment, such as `@Ines Okafor` or `@ines@example.com`, get an e-mail.
import type { AuditSource } from '../audit/audit.ts';
import { getPagesUrl } from '../config/public-urls.ts';
import type { Deps } from '../deps.ts';
import { cutText } from '../parsing/cut-text.ts';
import type { Comment } from '../store/issue-queries.ts';
import type { Issue } from '../store/issues.ts';
import type { Member } from '../store/members.ts';
import { listAssignees } from './assignees.ts';

const mentionedMax = 20;
const titleCharactersMax = 120;
const bodyCharactersMax = 2_000;

/** Of those with access to the project, without the author. */
export async function listMentioned(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  projectId: number,
  body: string,
  { actor }: AuditSource,
): Promise<Member[]> {
  if (!body.includes('@')) return [];
  const { members } = await listAssignees({ store }, [projectId], now());
  const authorId = actor.kind === 'member' ? actor.id : null;
  const folded = body.toLowerCase();
  const isNamed = (word: string): boolean => {
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
      const [before = '', after = ''] = [folded[at - 1], folded[at + word.length]];
      if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}@]/u.test(after)) return true;
    }
    return false;
  };
  return members
    .filter(({ id }) => id !== authorId)
    .filter(({ name, email }) => [name, email].some((each) => each && isNamed(`@${each.toLowerCase()}`)))
    .slice(0, mentionedMax);
}

/** Never throws: the comment is there already. */
export async function notifyMentioned(
  deps: Pick<Deps, 'store' | 'now' | 'log' | 'config' | 'notificationSender'>,
  issue: Issue,
  comment: Comment,
  by: AuditSource,
): Promise<void> {
  const { notificationSender, log } = deps;
  if (notificationSender?.canMail !== true) return;
  try {
    for (const { id, email } of await listMentioned(deps, issue.projectId, comment.body, by)) {
      if (email === null) continue;
      const sent = await notificationSender.mail(mailOf(issue, comment, { to: email, memberId: id }, deps));
      if (!sent.ok)
        log.warn({ issueId: issue.id, memberId: id, said: sent.detail }, 'a mention was not mailed');
    }
  } catch (error) {
    log.warn({ issueId: issue.id, error: String(error) }, 'mentions were not mailed');
  }
}

function mailOf(
  issue: Issue,
  comment: Comment,
  { to, memberId }: { readonly to: string; readonly memberId: number },
  { config, now }: Pick<Deps, 'config' | 'now'>,
) {
  const pagesUrl = getPagesUrl(config);
  const host = URL.parse(pagesUrl)?.hostname ?? 'notifier.invalid';
  const title = cutText(issue.title.replaceAll(/\p{C}+/gu, ' '), titleCharactersMax);
  const page = `${pagesUrl}/issues/${issue.id}/activity#comment-${comment.id}`;
  const sentence = `${comment.author} mentioned you in a comment on issue ${issue.id}: ${title}`;
  return {
    to,
    subject: cutText(`${comment.author} mentioned you on #${issue.id}: ${title}`, 2 * titleCharactersMax),
    text: `${[sentence, cutText(comment.body, bodyCharactersMax), page].join('\n\n')}\n`,
    html: null,
    messageId: `<mention-${comment.id}-${memberId}@${host}>`,
    atMs: now(),
    stopUrl: null,
  };
}
