import type {
  ReferenceField,
  ReferenceIndexModel,
  ReferenceNounModel,
  ReferenceRoute,
} from '../../core/page-models/api-reference.ts';
import { copyButton } from '../components/controls.ts';
import { nameValueList, pageHead, section } from '../components/elements.ts';
import { dataTable } from '../components/table.ts';
import { type Content, el, externalLink, html, pageLink, type VNode } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';

export function apiReferencePage(model: ReferenceIndexModel, context: PageContext): PageContent {
  const below =
    'All routes, with what they take and answer. Sentry SDKs need none of this: give them the DSN.';
  return {
    title: 'API reference',
    main: [
      pageHead({
        above: pageLink(context, '/help', null, 'Help'),
        title: 'API reference',
        below,
      }),
      nameValueList([
        ['Base URL', html`<code>${model.api_url}</code>`],
        ['OpenAPI 3.1', externalLink(model.document_url, html`<code>openapi.json</code>`)],
        ['Secret key', html`<code>Authorization: Bearer …</code>, on servers and in CI`],
        ['Public key', html`<code>X-Notifier-Key: …</code>, also in browsers`],
        ['Lists', html`<code>page</code>, <code>per_page</code>; totals in <code>X-WP-Total</code>`],
      ]),
      model.nouns.map(({ noun, name, description, routes }) =>
        section(
          { id: `routes-${noun}`, title: pageLink(context, `/help/api/${noun}`, null, name) },
          html`<p class="dim">${description}</p>`,
          dataTable(null, {
            caption: name,
            isHeadless: true,
            columns: [
              { name: 'Route', class: 'w20', cell: ({ method, path }) => routeCode(method, path) },
              {
                name: 'What it does',
                cell: ({ method, path, summary }) =>
                  pageLink(context, { path: `/help/api/${noun}`, hash: idOf(method, path) }, null, summary),
              },
            ],
            rows: routes,
          }),
        ),
      ),
    ],
  };
}

export function apiNounPage(model: ReferenceNounModel, context: PageContext): PageContent {
  return {
    title: `${model.name}: API reference`,
    main: [
      pageHead({
        above: pageLink(context, '/help/api', null, 'API reference'),
        title: model.name,
        below: model.description,
      }),
      model.routes.map(routeSection),
    ],
  };
}

function routeSection(route: ReferenceRoute): VNode {
  const { method, path, summary, description, key, fields, answers, members, curl, example } = route;
  const id = idOf(method, path);
  return section(
    { id, title: summary, aside: copyButton(`${id}-curl`, `the request: ${summary}`) },
    html`<p>${routeCode(method, path)} <span class="dim">${key}</span></p>`,
    description === '' ? null : html`<p>${description}</p>`,
    codeLines(`${id}-curl`, curl),
    fields.length === 0 ? null : disclosure('Parameters', fieldsList(fields), true),
    disclosure('Answers', answersList(answers), true),
    members.length === 0
      ? null
      : disclosure(
          'Members of the answer',
          nameValueList(members.map(({ name, type }) => [html`<code>${name}</code>`, type])),
        ),
    example === null ? null : disclosure('Example of an answer', codeLines(`${id}-example`, example)),
  );
}

/** Not a table: a description needs the whole width of a phone. */
function fieldsList(fields: readonly ReferenceField[]): VNode {
  return nameValueList(
    fields.map(({ name, in: location, type, required, description }) => [
      html`<code>${name}</code>`,
      html`${description} <span class="dim">${location}, ${type}${required ? ', required' : ''}</span>`,
    ]),
  );
}

function answersList(answers: ReferenceRoute['answers']): VNode {
  return nameValueList(
    answers.map(({ status, what: description, codes }) => [
      html`<code>${status}</code>`,
      html`${description} <span class="dim">${codes.join(', ')}</span>`,
    ]),
  );
}

function routeCode(method: string, path: string): VNode {
  return html`<code>${method} ${path}</code>`;
}

export function codeLines(id: string, text: string): VNode {
  return html`<pre class="snip" id=${id} tabindex="0"><code>${text}</code></pre>`;
}

function disclosure(title: string, content: Content, open = false): VNode {
  return el('details', { open }, el('summary', null, title), content);
}

function idOf(method: string, path: string): string {
  return `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');
}
