import { beforeAll, describe, expect, it } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { createChannel } from '../../../src/core/alerts/channels.ts';
import { updateRule } from '../../../src/core/alerts/rules.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { RestError } from '../../../src/core/errors.ts';
import { createIncident, updateIncident } from '../../../src/core/incidents/incidents.ts';
import { createMonitor } from '../../../src/core/monitors/monitors.ts';
import { toOneLine } from '../../../src/core/parsing/display-text.ts';
import { replaceInvisible } from '../../../src/web/formatters.ts';
import { attacks as all } from '../../browser/pages/attacks.ts';
import { commanding, handling, leading } from '../../browser/pages/shown.ts';
import { byNamed } from '../../support/app.ts';
import { shared } from '../../support/shared.ts';
import { allOrSome } from '../../support/test-level.ts';
import { openEmptyWorkspace } from '../../support/workspace.ts';

const attacks = all.filter((text) => toOneLine(text) !== '');
const at = (index: number): string => attacks[index % attacks.length] ?? '';
const readMax = 60;

const workspace = shared(() => openEmptyWorkspace({ env: { RATE_LIMITS: 'off' } }));
beforeAll(async () => {
  await workspace.app.post('/store', { message: 'An issue', platform: 'php' });
});

interface Looked {
  readonly faults: readonly string[];
  readonly text: string;
}

async function look(path: string): Promise<Looked> {
  const answer = await workspace.admin.get(path);
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
  const [faults, texts]: [string[], string[]] = [[], []];
  let headings = 0;
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === '#text') texts.push((node as DefaultTreeAdapterTypes.TextNode).value);
    if (node.nodeName === '#comment') faults.push('a comment');
    const { tagName, attrs = [], childNodes = [] } = node as DefaultTreeAdapterTypes.Element;
    const attribute = (name: string): string => attrs.find((each) => each.name === name)?.value ?? '';
    if (tagName === 'h1') headings += 1;
    const isLinkOfOthers = tagName === 'link' && !/^(stylesheet|icon|alternate)$/.test(attribute('rel'));
    if (isLinkOfOthers || (tagName !== undefined && commanding.test(tagName))) faults.push(`a ${tagName}`);
    if (tagName === 'script' && (childNodes.length > 0 || !attribute('src').startsWith('/assets/'))) {
      faults.push('a script of others');
    }
    if (tagName === 'meta' && attribute('http-equiv') !== '') faults.push('a meta that commands');
    for (const { name, value } of attrs) {
      if (handling.test(name)) faults.push(`${tagName} has ${name}`);
      if (/^(value|placeholder|aria-label|title)$/.test(name)) texts.push(value);
      if (!leading.test(name) || /^[/#?]([^/]|$)/.test(value)) continue;
      const isLedOut = tagName === 'a' && attribute('rel').includes('noopener') && /^https?:/.test(value);
      if (!isLedOut) faults.push(`${tagName} leads to ${value}`);
    }
    for (const child of childNodes) walk(child);
    if (tagName === 'template') walk((node as DefaultTreeAdapterTypes.Template).content);
  };
  walk(parse(answer.text));
  if (headings !== 1) faults.push(`${headings} headings`);
  return { faults: faults.map((what) => `${path}: ${what}`), text: read(texts.join(' ')) };
}

function read(text: string): string {
  return replaceInvisible(text).replaceAll(/\s+/g, ' ').trim();
}

function unseen(looked: readonly Looked[], texts: readonly string[]): string[] {
  const shown = looked.map(({ text }) => text).join('\n');
  return texts.filter((text) => !shown.includes(read(text).slice(0, readMax).trim()));
}

async function kept<Made>(making: Promise<Made>): Promise<Made | null> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof RestError && error.status === 400) return null;
    throw error;
  }
}

async function lookAt(paths: readonly string[]): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (const path of paths) looked.push(await look(path));
  return looked;
}

async function listOf(path: string): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (let query: string | null = ''; query !== null; ) {
    looked.push(await look(`${path}${query}`));
    const older: string | null | undefined = (await workspace.admin.json(`${path}${query}`)).older;
    query = older == null ? null : `?after=${encodeURIComponent(older)}`;
  }
  return looked;
}

it('there are hundreds of attack texts', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(300);
});

describe('incidents', () => {
  it('titles, causes, leads, updates and post-mortems are shown as text', async () => {
    const { deps } = workspace.app;
    const ids: number[] = [];
    const shown: string[][] = [];
    for (const [index, title] of attacks.entries()) {
      const [cause, lead, message] = [
        at(index + 1).slice(0, 200),
        at(index + 2).slice(0, 100),
        at(index + 3),
      ];
      const asked = { title: title.slice(0, 200), cause, lead, message } as never;
      const made = await kept(createIncident(deps, null, asked, byNamed(at(index + 4).slice(0, 100))));
      if (made === null) continue;
      const learnt = { message: at(index + 5), post_mortem: title };
      await updateIncident(deps, null, made.id, { ...learnt, state: 'resolved' } as never, byNamed('Mara'));
      ids.push(made.id);
      shown.push([made.title, made.cause, made.lead ?? '', made.openedBy, learnt.message.trim()]);
    }
    expect(ids.length).toBeGreaterThanOrEqual(300);
    const lists = await listOf('/incidents');
    expect(
      unseen(
        lists,
        shown.flatMap(([title = '', cause = '']) => [title, cause]),
      ),
    ).toEqual([]);
    // Those that Markdown would make something of are always looked at.
    const few = allOrSome([...ids.keys()], 24);
    const places = [
      ...new Set([...few, ...[...ids.keys()].filter((place) => /\]\(|^<\w+:/.test(at(place)))]),
    ];
    const ones = await lookAt(places.map((place) => `/incidents/${ids[place]}`));
    for (const [nth, one] of ones.entries()) {
      expect(unseen([one], shown[places[nth] ?? 0] ?? [])).toEqual([]);
    }
    const some = allOrSome(ids, 96);
    const forms = await lookAt(
      some.flatMap((id) => [`/incidents/${id}/post-mortem`, `/incidents/${id}/delete`]),
    );
    const others = await lookAt(['/', '/audit']);
    expect([...lists, ...ones, ...forms, ...others].flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('open incidents are shown as text on the overview and beside their cause', async () => {
    const { deps } = workspace.app;
    const faults: string[] = [];
    for (const [index, title] of allOrSome(attacks, 80).entries()) {
      const asked = { title: title.slice(0, 200), message: at(index + 3), severity: 'critical' } as never;
      const { id } = await createIncident(deps, null, asked, byNamed(at(index + 1).slice(0, 100)));
      await updateIncident(
        deps,
        null,
        id,
        { link: { kind: 'issue', id: 1 } },
        byNamed(at(index + 2).slice(0, 100)),
      );
      const looked = await lookAt(['/', '/issues/1', `/incidents/${id}`]);
      faults.push(...looked.flatMap((each) => each.faults));
      for (const each of looked) expect(unseen([each], [toOneLine(title)])).toEqual([]);
      await updateIncident(deps, null, id, { state: 'resolved' }, byNamed('Mara'));
      await deps.store.deleteIncident(id);
    }
    expect(faults).toEqual([]);
  });
});

describe('monitors', () => {
  it('names, groups, tags and expected texts are shown as text', async () => {
    const { deps } = workspace.app;
    const made: Array<{ readonly slug: string; readonly shown: readonly string[] }> = [];
    for (const [index, name] of attacks.entries()) {
      const group = at(index + 1).slice(0, 50);
      const tags = [at(index + 2), at(index + 3)].map((tag) => tag.slice(0, 50));
      const asked = { type: 'keyword', url: 'https://a.example/', name: name.slice(0, 100), group, tags };
      const one = await kept(
        createMonitor(deps, null, { ...asked, contains: at(index + 4) } as never, commandLineSource),
      );
      if (one === null) continue;
      const { slug, tags: own } = one.monitor;
      made.push({ slug, shown: [one.monitor.name, one.monitor.group, ...own] });
    }
    expect(made.length).toBeGreaterThanOrEqual(300);
    const lists: Looked[] = [];
    for (let page = 1; lists.length * 20 < made.length; page += 1) {
      lists.push(await look(`/monitors?page=${page}`));
    }
    const names = made.map(({ shown: [name = ''] }) => name);
    expect(unseen(lists, names)).toEqual([]);
    const some = allOrSome(made, 48);
    const pages = some.flatMap(({ slug }) =>
      ['', '/settings', '/delete'].map((end) => `/monitors/${encodeURIComponent(slug)}${end}`),
    );
    const ones = await lookAt(pages);
    for (const [index, { shown }] of some.entries()) {
      expect(unseen(ones.slice(index * 3, index * 3 + 3), shown)).toEqual([]);
    }
    const others = await lookAt(['/', '/incidents/new']);
    expect(unseen(others.slice(1), names)).toEqual([]);
    expect([...lists, ...ones, ...others].flatMap(({ faults }) => faults)).toEqual([]);
  });
});

describe('channels and rules', () => {
  it('names and conditions are shown as text', async () => {
    const { deps } = workspace.app;
    const faults: string[] = [];
    const channels = 60;
    for (let each = 0; each < channels; each += 1) {
      const asked = { type: 'slack', name: `Channel ${each}`, url: 'https://hooks.example/a/b' };
      await createChannel(
        deps,
        null,
        { ...asked, rules: [{ on: 'issue.is_new' }] } as never,
        commandLineSource,
      );
    }
    const known = await deps.store.listChannels();
    for (let first = 0; first < attacks.length; first += channels) {
      const names: string[] = [];
      for (const [place, { id, rules }] of known.entries()) {
        const name = toOneLine(at(first + place)).slice(0, 100);
        await deps.store.changeChannel(id, { name });
        const filters = [
          { field: 'tag', name: at(first + place + 1), is: 'is', value: at(first + place + 2) },
        ];
        const rule = {
          kind: 'issue.is_new',
          name,
          limit: null,
          filters,
          groupThreshold: 1,
          opensIncident: 'minor',
        };
        await updateRule(deps, rules[0]?.id ?? 0, { ...rule, channelIds: [id] } as never);
        names.push(name);
      }
      const lists = await lookAt([
        '/alert-channels',
        '/alert-channels/rules',
        '/alert-channels/rules/new/issue-created',
      ]);
      for (const each of lists) expect(unseen([each], names)).toEqual([]);
      const some = allOrSome(known, 80);
      const pages = some.flatMap(({ id, rules: [rule] }) => [
        ...['', '/settings', '/delete'].map((end) => `/alert-channels/${id}${end}`),
        `/alert-channels/rules/${rule?.id}`,
      ]);
      faults.push(...[...lists, ...(await lookAt(pages))].flatMap((each) => each.faults));
    }
    expect(faults).toEqual([]);
  });
});
