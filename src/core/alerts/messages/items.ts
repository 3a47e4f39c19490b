import { formatCountWithNoun } from '../../parsing/format/numbers.ts';
import { type AlertMessage, itemsPerMessageMax, type NotifiedIssue } from './message.ts';

export function listItems(message: AlertMessage) {
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

function titleOf({ count }: AlertMessage, { issueId, title, project }: NotifiedIssue): string {
  return count === 1 ? `${project}: ${title}` : `#${issueId} ${project}: ${title}`;
}

function figuresOf({ level, events, users, culprit, note }: NotifiedIssue): string {
  return [note, culprit, level, formatCountWithNoun(events, 'event'), formatCountWithNoun(users, 'user')]
    .filter((part) => part !== '')
    .join(', ');
}

/** Counts of what is not named, each after the lines of `gap`, then events over the limit of new issues. */
export function describeOmitted(message: AlertMessage, gap: readonly string[] = []): string[] {
  const { count, noun, issues, objects, overflow, incidents } = message;
  const more = count - issues.length - objects.length;
  const moreIncidents = incidents.count - incidents.named.length;
  const byEvents = overflow.toSorted((one, other) => other.events - one.events);
  const [largest, others] = [byEvents.slice(0, itemsPerMessageMax), byEvents.slice(itemsPerMessageMax)];
  return [
    ...(more > 0 ? [...gap, `and ${formatCountWithNoun(more, `more ${noun}`)}`] : []),
    ...(moreIncidents > 0 ? [...gap, `and ${formatCountWithNoun(moreIncidents, 'more incident')}`] : []),
    ...largest.map(
      ({ project, events }) =>
        `${project}: ${formatCountWithNoun(events, 'event')} over the limit of new issues`,
    ),
    ...(others.length === 0
      ? []
      : [
          `${formatCountWithNoun(others.length, 'more project')}: ${formatCountWithNoun(sumOf(others), 'event')} over it`,
        ]),
  ];
}

function sumOf(overflow: AlertMessage['overflow']): number {
  return overflow.reduce((sum, { events }) => sum + events, 0);
}
