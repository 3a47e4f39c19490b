// What the worlds of the demo have to know of each other: channels are told of issues and test runs, the
// audit history of what people did to issues and of what they made to be watched.
import type { AuditAction } from '../core/audit/actions.ts';
import type { NewAuditEntry } from '../core/store/audit.ts';
import type { Activity } from '../core/store/issues.ts';
import { momentOf } from './world/calendar.ts';
import { demoMembers } from './world/company.ts';
import type { DeliveryWorld } from './world/delivery/world.ts';
import type { ErrorsWorld } from './world/errors/world.ts';
import { releaseIdOf, rememberedFromMs } from './world/story.ts';
import type { Happened } from './world/uptime/deliveries.ts';
import { pendingSlug } from './world/uptime/monitors.ts';
import type { Elsewhere, UptimeWorld } from './world/uptime/world.ts';

/** What uptime has to know. */
export function elsewhereOfUptime(errors: ErrorsWorld, delivery: DeliveryWorld): Elsewhere {
  const madeAt = new Map(delivery.planned.map(({ id, madeAtMs }) => [id, madeAtMs]));
  return {
    releasedAt: (projectId, week) => madeAt.get(releaseIdOf(projectId, week)) ?? momentOf(week, 0, 9, 0),
    happened: [...newsOfIssues(errors), ...newsOfRuns(delivery)],
  };
}

function newsOfIssues({ issues, nowMs }: ErrorsWorld): Happened[] {
  const fromMs = rememberedFromMs(nowMs);
  return issues
    .filter(({ issue }) => issue.mergedInto === null)
    .flatMap(({ issue, acts }) => {
      const { id, projectId, title, firstSeenMs } = issue;
      const news = { projectId, path: `/issues/${id}` };
      const subject = title.length > 80 ? `${title.slice(0, 79)}…` : title;
      const back = acts
        .filter(({ kind, atMs }) => kind === 'regressed' && atMs >= fromMs)
        .map(({ atMs }) => ({
          ...news,
          atMs,
          news: 'regressed' as const,
          subject: `#${id} came back: ${subject}`,
        }));
      const first = {
        ...news,
        atMs: firstSeenMs,
        news: 'new_issue' as const,
        subject: `#${id} is new: ${subject}`,
      };
      return firstSeenMs >= fromMs ? [first, ...back] : back;
    });
}

function newsOfRuns({ runs }: DeliveryWorld): Happened[] {
  return runs
    .filter(({ status }) => status === 'failed')
    .map(({ id, projectId, createdAtMs, failed, suite }) => ({
      atMs: createdAtMs,
      news: 'run_failed' as const,
      projectId,
      subject: `${failed} failed in ${suite ?? 'a test run'}`,
      path: `/test-runs/${id}`,
    }));
}

/** What the audit history has to know. Only what stays: an entry that went would change all that follow. */
export function elsewhereOfAudit(errors: ErrorsWorld, uptime: UptimeWorld): NewAuditEntry[] {
  return [...actsOnIssues(errors), ...whatIsWatched(uptime)];
}

/** Issues that begin anew take what was done about them along. */
const lasting: readonly string[] = ['steady', 'returning', 'ignored', 'merged'];

const actions: Partial<Record<Activity['kind'], AuditAction>> = {
  resolved: 'issue.resolved',
  ignored: 'issue.ignored',
  unresolved: 'issue.reopened',
  merged: 'issue.merged',
  unmerged: 'issue.unmerged',
  assigned: 'issue.assigned',
};

function actsOnIssues({ issues }: ErrorsWorld): NewAuditEntry[] {
  return issues
    .filter(({ plan }) => lasting.includes(plan.lives))
    .flatMap(({ issue, acts, comments }) => {
      const told = (actorName: string, action: AuditAction, atMs: number): NewAuditEntry[] => {
        const member = demoMembers.find(({ name }) => name === actorName);
        if (member === undefined) return [];
        const object = {
          objectKind: 'issue',
          objectId: String(issue.id),
          objectName: `#${issue.id} ${issue.title}`,
        };
        return [entryOf(member.id, { action, atMs, ...object, projectId: issue.projectId })];
      };
      return [
        ...acts.flatMap(({ kind, actor, atMs }) => {
          const action = actions[kind];
          return action === undefined ? [] : told(actor, action, atMs);
        }),
        ...comments.flatMap(({ author, atMs }) => told(author, 'issue.commented', atMs)),
      ];
    });
}

function whatIsWatched({ monitors, channels, statusPages }: UptimeWorld): NewAuditEntry[] {
  return [
    ...monitors
      .filter(({ slug }) => slug !== pendingSlug)
      .map(({ slug, name, projectId, createdAtMs }) =>
        entryOf(4, {
          action: 'monitor.created',
          atMs: createdAtMs,
          objectKind: 'monitor',
          objectId: slug,
          objectName: name,
          projectId,
        }),
      ),
    ...channels.map(({ id, name, createdAtMs, createdBy }) =>
      entryOf(demoMembers.find((each) => each.name === createdBy)?.id ?? 1, {
        action: 'channel.created',
        atMs: createdAtMs,
        objectKind: 'channel',
        objectId: String(id),
        objectName: name,
        projectId: null,
      }),
    ),
    ...statusPages.map(({ slug, name, createdAtMs }) =>
      entryOf(1, {
        action: 'status_page.created',
        atMs: createdAtMs,
        objectKind: 'status_page',
        objectId: slug,
        objectName: name,
        projectId: null,
      }),
    ),
  ];
}

function entryOf(
  memberId: number,
  act: Pick<NewAuditEntry, 'atMs' | 'objectKind' | 'objectId' | 'objectName' | 'projectId'> & {
    readonly action: AuditAction;
  },
): NewAuditEntry {
  const member = demoMembers.find(({ id }) => id === memberId);
  return {
    ...act,
    actor: { kind: 'member', id: memberId, name: member?.name ?? '' },
    summary: '',
    net: memberId % 2 === 0 ? '198.51.100.0/24' : '203.0.113.0/24',
    requestId: null,
  };
}
