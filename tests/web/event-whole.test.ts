import { describe, expect, it } from '@jest/globals';
import { normalizedEvent } from '../../schemas/event.ts';
import { pageOf, textOf, viewOf } from '../support/event-page.ts';
import { normalized } from '../support/events.ts';

const frame = (name: string) => ({
  function: `${name}-function`,
  raw_function: `${name}-raw-function`,
  filename: `${name}-filename`,
  abs_path: `${name}-abs-path`,
  module: `${name}-module`,
  package: `${name}-package`,
  platform: `${name}-platform`,
  symbol: `${name}-symbol`,
  addr_mode: `${name}-addr-mode`,
  instruction_addr: `0x${name}-instruction`,
  image_addr: `0x${name}-image`,
  symbol_addr: `0x${name}-symbol`,
  lineno: 71_001,
  colno: 71_002,
  pre_context: [`${name}-before-1`, `${name}-before-2`],
  context_line: `${name}-line`,
  post_context: [`${name}-after`],
  vars: { [`${name}-var`]: { deep: [`${name}-var-deep`] } },
  trust: `${name}-unknown-member`,
});

const stack = (name: string) => ({
  frames: [
    { ...frame(`${name}-library`), in_app: false },
    { ...frame(`${name}-own`), in_app: true },
  ],
  registers: { rip: `0x${name}-register` },
});

const full = {
  timestamp: '2026-11-21T11:59:59.600Z',
  level: 'warning',
  platform: 'native-platform',
  logger: 'the-logger',
  transaction: 'the-transaction',
  server_name: 'the-server',
  release: 'the-release',
  dist: 'the-dist',
  environment: 'the-environment',
  site: 'the-site',
  type: 'the-kind',
  logentry: { message: 'template-%s', formatted: 'the-message', params: ['the-param'] },
  exception: {
    values: ['cause', 'thrown'].map((name) => ({
      type: `${name}-type`,
      value: `${name}-value`,
      module: `${name}-module`,
      thread_id: `${name}-thread`,
      mechanism: {
        type: `${name}-mechanism`,
        handled: false,
        source: `${name}-source`,
        description: `${name}-description`,
        help_link: `https://help.example/${name}`,
        data: { signal: `${name}-signal` },
        meta: { errno: { name: `${name}-errno` } },
        exception_id: 71_003,
        parent_id: 71_004,
        own: `${name}-own-member`,
      },
      stacktrace: stack(name),
      raw_stacktrace: stack(`raw-${name}`),
      unknown: `${name}-unknown`,
    })),
  },
  threads: {
    values: [
      {
        id: 'thread-id',
        name: 'thread-name',
        state: 'thread-state',
        crashed: true,
        priority: 'thread-priority',
        stacktrace: stack('thread'),
      },
    ],
  },
  breadcrumbs: {
    values: [
      { type: 'crumb-type', category: 'crumb-category', message: 'crumb-message', data: { a: 'crumb-data' } },
      {
        type: 'http',
        category: 'fetch',
        data: { url: 'crumb-url', method: 'PUT', status_code: 418, b: 'crumb-http' },
      },
      { category: 'navigation', data: { from: 'crumb-from', to: 'crumb-to', c: 'crumb-navigation' } },
      { category: 'c', level: 'error', event_id: 'crumb-event', message: 'crumb-error', own: 'crumb-own' },
      { category: 'ui.input', message: 'crumb-input' },
    ],
  },
  tags: { 'tag-name': 'tag-value' },
  user: {
    id: 'the-user-of-the-shop',
    username: 'the-username',
    email: 'mail@of.example',
    name: 'the-name',
    ip_address: '203.0.113.9',
    geo: {
      city: 'geo-city',
      country_code: 'geo-country',
      region: 'geo-region',
      subdivision: 'geo-subdivision',
    },
    data: { plan: 'user-data' },
    segment: 'user-segment',
  },
  request: {
    url: 'https://request.example/path?in=url',
    method: 'REPORT',
    query_string: 'request=query',
    fragment: 'request-fragment',
    headers: { 'User-Agent': 'the-user-agent', 'X-Own': 'request-header' },
    cookies: { basket: 'request-cookie' },
    env: { REMOTE: 'request-env' },
    data: { body: { field: 'request-body' } },
    api_target: 'request-target',
    inferred: 'request-unknown',
  },
  contexts: {
    browser: { name: 'browser-name', version: 'browser-version', own: 'browser-own' },
    os: { name: 'os-name', version: 'os-version', build: 'os-build', kernel_version: 'os-kernel' },
    device: {
      model: 'device-model',
      family: 'device-family',
      screen_resolution: '1536x864',
      screen_density: 1.25,
      memory_size: 71_005,
      arch: 'device-arch',
    },
    runtime: { name: 'runtime-name', raw_description: 'runtime-raw' },
    app: { app_name: 'app-name', app_version: 'app-version', app_build: 'app-build' },
    culture: { locale: 'culture-locale', timezone: 'culture-zone', calendar: 'culture-calendar' },
    trace: { trace_id: 'trace-id', span_id: 'trace-span', op: 'trace-op', status: 'trace-status' },
    gpu: { name: 'gpu-name', vendor_name: 'gpu-vendor', memory_size: 71_006 },
    basket: { lines: 71_007, zone: 'context-own', deep: { er: [{ still: 'context-deep' }] } },
  },
  extra: { 'extra-name': 'extra-text', nested: { a: ['extra-nested', { b: 'extra-deep' }], n: 71_008 } },
  fingerprint: ['the-fingerprint', '{{ default }}'],
  sdk: {
    name: 'sdk-name',
    version: 'sdk-version',
    integrations: ['sdk-integration'],
    packages: [{ name: 'sdk-package', version: 'sdk-package-version' }],
  },
  modules: { 'module-name': 'module-version' },
  debug_meta: { images: [{ type: 'elf', code_file: 'image-file', debug_id: 'image-debug-id' }] },
  csp: { 'violated-directive': 'csp-directive' },
  own: { member: 'unknown-member' },
};

const otherwise: ReadonlyArray<readonly [path: RegExp, why: string]> = [
  [/^(?:timestamp|received)$/, 'a moment is told in words'],
  [/^older_event_id$|^newer_event_id$|^issue_id$/, 'these are links'],
  [/^user\.(?:id|name|username|email|ip_address)$/, 'people are told apart and not shown'],
  [
    /^breadcrumbs\.values\.\d+\.(?:type|level)$/,
    'a common type says less than its category; levels are shapes',
  ],
  [/^contexts\.device\.(?:screen_resolution|screen_density)$/, 'in words: 1536 × 864, 1.25×'],
  [/^culprit$/, 'made of the transaction, or of a frame'],
  [/^grouping\./, 'told by the part on why these are one issue'],
  [/^errors\.\d+\.type$/, 'told in a sentence'],
  [/\.data\.status_code$/, 'beside the request, in a mark'],
];

function leaves(value: unknown, path: string): Array<readonly [path: string, text: string]> {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'number') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    leaves(each, path === '' ? name : `${path}.${name}`),
  );
}

const texts = ['show=all', 'show=all&stack=raw'].map((query) => textOf(pageOf(full, query)));

describe('the page of an event', () => {
  it('is tested with every member that events have', () => {
    const { shape } = normalizedEvent;
    const made = ['event_id', 'errors'];
    expect(Object.keys(shape).filter((name) => !made.includes(name) && !(name in full))).toEqual([]);
  });

  it('shows each text and number of the event, except those put in words', () => {
    const { view } = viewOf(normalized(full));
    const all = leaves(view, '');
    expect(all.length).toBeGreaterThan(200);
    const missing = all.filter(
      ([path, text]) =>
        !texts.some((page) => page.includes(text)) && !otherwise.some(([shown]) => shown.test(path)),
    );
    expect(missing).toEqual([]);
  });

  it('describes known contexts in words, and folds their other members', () => {
    const [text = ''] = texts;
    expect(text).toContain('device-model, 1536 × 864, 1.25×');
    expect(text).toContain('browser-name browser-version');
    expect(text).toContain('culture-locale culture-zone');
    expect(textOf(pageOf({ contexts: { basket: { lines: 3, zone: 'IE-D' } } }))).toContain(
      '{ lines: 3, zone: "IE-D" }',
    );
  });

  it('shows no more of a user than the first characters', () => {
    for (const text of texts) {
      expect(text).not.toContain('the-username');
      expect(text).not.toContain('mail@of.example');
      expect(text).toContain('m…@of.example');
      expect(text).toContain('the-us…op');
    }
  });

  it('shows a message once if the exception has the same', () => {
    const said = (formatted: string) => ({
      exception: { type: 'E', value: 'no rate' },
      logentry: { formatted },
    });
    expect(textOf(pageOf(said('no rate'))).match(/Message/g)).toBeNull();
    expect(textOf(pageOf(said('while paying'))).match(/Message/g)).toHaveLength(1);
  });

  it('shows a native frame by its address and its image', () => {
    const native = { instruction_addr: '0x7fff5fc01000', package: '/usr/lib/libshop.so' };
    const text = textOf(pageOf({ exception: { type: 'E', value: 'v', stacktrace: { frames: [native] } } }));
    expect(text).toContain('0x7fff5fc01000 /usr/lib/libshop.so');
  });
});
