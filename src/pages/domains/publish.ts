// What to publish so that a proof is found: each way whole, with what to copy.
import type { VNode } from 'preact';
import type { ProofView } from '../../core/workspace/domains/list.ts';
import { type Content, html } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { section } from '../parts/layout.ts';

/** All ways by which the proof may be found. */
export function ways({ challenges }: ProofView): VNode {
  const all = challenges.map((each) => way(each));
  const words = ['', 'This one is enough.', 'One of the two is enough.', 'One of the three is enough.'];
  const said = `${words[challenges.length] ?? ''} Leave it in place: it is looked at again every day.`;
  return section({ id: 'd-pub', title: 'What to publish' }, html`<p class="soft pub">${said}</p>`, ...all);
}

function way(challenge: ProofView['challenges'][number]): VNode {
  switch (challenge.type) {
    case 'dns_txt':
      return wayOf('w-dns', 'In the DNS', 'the only way that proves names below, too', [
        ['Name', 'p-name', challenge.name],
        ['Type', 'p-type', 'TXT'],
        ['Value', 'p-value', challenge.value],
        ...(challenge.cname_also_ok === undefined
          ? []
          : [['Or a CNAME to', 'p-cname', challenge.cname_also_ok] as const]),
      ]);
    case 'http_file':
      return wayOf('w-file', 'As a file', 'plain text, nothing else in it', [
        ['At', 'p-url', challenge.url],
        ['Holds', 'p-body', challenge.body],
      ]);
    case 'html_meta':
      return wayOf('w-meta', 'As a meta tag', 'in the head of the front page', [
        ['At', 'p-page', challenge.url],
        ['Tag', 'p-tag', challenge.tag],
      ]);
  }
}

type Line = readonly [label: string, id: string, value: string];

function wayOf(id: string, title: string, hint: string, lines: readonly Line[]): VNode {
  const line = ([label, lineId, value]: Line): Content =>
    html`<div class="line">
      <span class="dim small">${label}</span><code id=${lineId}>${value}</code>
      ${copyButton(lineId, label.toLowerCase())}
    </div>`;
  return html`<section class="way" aria-labelledby=${id}>
    <div class="top"><h3 id=${id}>${title}</h3><span class="small dim">${hint}</span></div>
    ${lines.map(line)}
  </section>`;
}
