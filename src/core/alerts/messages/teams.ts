// An Adaptive Card 1.4 in a message of at most 28 KB, with at most six actions.
import { jsonWebhookType } from './channel-type.ts';
import { allIssueFacts, frameLines, issueLinks, type SingleIssue, singleIssueOf } from './details.ts';
import { describeOmitted, listItems } from './items.ts';
import { escapeMarkdown, markdownLink } from './markdown.ts';
import type { AlertMessage } from './message.ts';

const styles: Readonly<Record<string, string>> = {
  fatal: 'attention',
  error: 'attention',
  warning: 'warning',
};

export const teams = jsonWebhookType(
  {
    name: 'Microsoft Teams',
    needs: 'Workflow webhook',
    example: 'https://….logic.azure.com/workflows/…',
    hint: 'In Teams: Workflows, “Post to a channel when a webhook request is received”.',
    steps: [
      'At the channel, choose More options (…), Workflows.',
      'Choose “Post to a channel when a webhook request is received”, or “Send webhook alerts to a channel”.',
      'Choose the team and the channel, then Add workflow.',
      'Copy the URL that is shown.',
    ],
  },
  (message) => {
    const single = singleIssueOf(message);
    const actions = actionsOf(message, single);
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      fallbackText: message.subject,
      body: [
        block(escapeMarkdown(message.subject), { weight: 'Bolder', size: 'Medium', ...colored(message) }),
        ...(single === null ? [] : issueParts(single)),
        ...listItems(single === null ? message : { ...message, issues: [] }).flatMap(
          ({ title, figures, url }) => [
            block(markdownLink(title, url)),
            ...(figures === '' ? [] : [block(escapeMarkdown(figures), { isSubtle: true, spacing: 'None' })]),
          ],
        ),
        ...describeOmitted(message).map((line) => block(escapeMarkdown(line))),
        block(escapeMarkdown(message.reason), { isSubtle: true, separator: true, size: 'Small' }),
      ],
      ...(actions.length === 0 ? {} : { actions }),
    };
    return JSON.stringify({
      type: 'message',
      attachments: [
        { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card },
      ],
    });
  },
);

function block(text: string, more: object = {}): object {
  return { type: 'TextBlock', text, wrap: true, ...more };
}

function colored({ issues: [issue] }: AlertMessage): object {
  const style = styles[issue?.level ?? ''];
  return style === undefined ? {} : { color: style === 'warning' ? 'Warning' : 'Attention' };
}

function issueParts(single: SingleIssue): object[] {
  const facts = allIssueFacts(single).map(([title, value]) => ({ title, value: escapeMarkdown(value) }));
  const frames = frameLines(single.details).map((line) =>
    block(escapeMarkdown(line), { fontType: 'Monospace', spacing: 'None', size: 'Small' }),
  );
  return [...frames, { type: 'FactSet', facts }];
}

function actionsOf({ url, stopUrl }: AlertMessage, single: SingleIssue | null): object[] {
  const view = url === null ? [] : [['View', url] as const];
  const links = [
    ...(single === null ? view : issueLinks(single)),
    ...(stopUrl === null ? [] : [['Edit rule', stopUrl] as const]),
  ];
  return links.map(([title, target]) => ({ type: 'Action.OpenUrl', title, url: target }));
}
