import { counted } from '../../reading/words/figures.ts';
import { type AlertMessage, namedMax, type ToldIssue } from './message.ts';

export interface Named {
  readonly title: string;
  readonly figures: string;
  readonly url: string | null;
}

export function namedIn(message: AlertMessage): Named[] {
  return [
    ...message.incidents.named.map(({ id, title, url }) => ({
      title: `Incident #${id}: ${title}`,
      figures: '',
      url,
    })),
    ...message.issues.map((each) => ({
      title: titleOf(message, each),
      figures: figuresOf(each),
      url: each.url,
    })),
    ...message.objects.map(({ project, title, detail, url }) => ({
      title: project === '' ? title : `${project}: ${title}`,
      figures: detail,
      url,
    })),
  ];
}

function titleOf({ count }: AlertMessage, { issueId, title, project }: ToldIssue): string {
  return count === 1 ? `${project}: ${title}` : `#${issueId} ${project}: ${title}`;
}

function figuresOf({ level, events, users, culprit }: ToldIssue): string {
  return [culprit, level, counted(events, 'event'), counted(users, 'user')]
    .filter((part) => part !== '')
    .join(', ');
}

/** Counts of what is not named, and events over the limit of new issues. */
export function restOf({ count, noun, issues, objects, overflow, incidents }: AlertMessage): string[] {
  const more = count - issues.length - objects.length;
  const moreIncidents = incidents.count - incidents.named.length;
  const byEvents = overflow.toSorted((one, other) => other.events - one.events);
  const [largest, others] = [byEvents.slice(0, namedMax), byEvents.slice(namedMax)];
  return [
    ...(more > 0 ? ['', `and ${counted(more, `more ${noun}`)}`] : []),
    ...(moreIncidents > 0 ? ['', `and ${counted(moreIncidents, 'more incident')}`] : []),
    ...largest.map(
      ({ project, events }) => `${project}: ${counted(events, 'event')} over the limit of new issues`,
    ),
    ...(others.length === 0
      ? []
      : [`${counted(others.length, 'more project')}: ${counted(sumOf(others), 'event')} over it`]),
  ];
}

function sumOf(overflow: AlertMessage['overflow']): number {
  return overflow.reduce((sum, { events }) => sum + events, 0);
}
