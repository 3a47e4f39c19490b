import { expect, it } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { buildTestMessage } from '../../src/core/alerts/messages/message.ts';
import { type SlackMessage, slack } from '../../src/core/alerts/messages/slack.ts';
import { buildExampleMessage } from '../../src/core/page-models/monitoring/channel-forms.ts';
import { slackPreview } from '../../src/web/alerts/slack-preview.ts';

const example = buildExampleMessage('https://errors.example', 'On call');

function shown(message: typeof example): string {
  return render(slackPreview(JSON.parse(slack.bodyOf(message, {})) as SlackMessage));
}

it('shows every block of a message about an issue', () => {
  const html = shown(example);
  const words = ['New issue in checkout-api: PaymentCaptureError', '44 events, 41 users', 'View issue'];
  for (const each of [...words, 'Mute for a day', 'notifies “On call”', 'Edit rule'])
    expect(html).toContain(each);
  expect(html).toContain('<strong>Level</strong><br/>error');
  expect(html).toMatch(/<pre class="snip"><code>capturePayment {2}src\/payments\/capture\.ts:64\n/);
  expect(html).not.toMatch(/href|\*|```/);
});

it('shows a message without an issue', () => {
  const deps = { now: () => 0, randomBytes: (count: number) => Buffer.alloc(count) };
  const html = shown(buildTestMessage({ deps, pagesUrl: null }, { id: 1, name: 'On call' }));
  expect(html).toContain('Test notification: messages arrive here');
});

it('shows texts as they are, with no markup of their own', () => {
  const [issue] = example.issues;
  if (issue === undefined) throw new Error('The example is about an issue.');
  const title = 'a < b && *c* `d` <https://x.example|here>';
  const html = shown({ ...example, issues: [{ ...issue, title }] });
  expect(html).toContain('a &lt; b &amp;&amp; *c* `d` &lt;https://x.example|here>');
});
