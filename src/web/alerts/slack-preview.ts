// A message of Slack, as Slack shows its blocks. Links and buttons lead nowhere.
import type { ChannelPreview } from '../../core/page-models/monitoring/channel-forms.ts';
import { type Content, html, type VNode } from '../el.ts';

export function slackPreview({ text, blocks = [], attachments = [] }: ChannelPreview): VNode {
  return html`<section aria-labelledby="pv">
    <h2 id="pv">Preview</h2>
    <p class="hint">An example: a new issue.</p>
    <div class="chat">
      <p><strong>Notifier</strong> <span class="dim small">App</span></p>
      ${attachments.length === 0 ? blocks.map(blockOf) : html`<p>${mrkdwn(text)}</p>`}
      ${attachments.map((each) => html`<div class="attach">${each.blocks.map(blockOf)}</div>`)}
    </div>
  </section>`;
}

function blockOf(block: NonNullable<ChannelPreview['blocks']>[number]): VNode {
  switch (block.type) {
    case 'actions':
      return html`<p class="acts">
        ${block.elements.map(({ text: { text }, style }) => html`<span class=${`btn small ${style ?? ''}`}>${text}</span>`)}
      </p>`;
    case 'context':
      return html`<p class="small soft">${block.elements.map(({ text }) => mrkdwn(text))}</p>`;
    default:
      return 'fields' in block
        ? html`<div class="grid2">${block.fields.map(({ text }) => html`<p>${mrkdwn(text)}</p>`)}</div>`
        : html`<div>${mrkdwn(block.text.text)}</div>`;
  }
}

// In texts of a message every mark has a \u200b after it.
const markupPattern =
  /```([\s\S]*?)```|\*(?!\u200b)((?:[^*\n]|\*\u200b)+)\*(?!\u200b)|<[^|>\n]+\|([^>\n]+)>|\n/g;

/** What messages have of Slack's markup: code, bold text, links. */
function mrkdwn(source: string): Content[] {
  const content: Content[] = [];
  let end = 0;
  for (const match of source.matchAll(markupPattern)) {
    const [matched, code, bold, link] = match;
    content.push(plain(source.slice(end, match.index)));
    if (code !== undefined) content.push(html`<pre class="snip"><code>${plain(code)}</code></pre>`);
    else if (bold !== undefined) content.push(html`<strong>${mrkdwn(bold)}</strong>`);
    else content.push(link === undefined ? html`<br />` : html`<span class="lk">${mrkdwn(link)}</span>`);
    end = match.index + matched.length;
  }
  return [...content, plain(source.slice(end))];
}

function plain(text: string): string {
  return text
    .replaceAll('\u200b', '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
