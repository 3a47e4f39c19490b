import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../support/shared.ts';
import { fullOrShort, fullOrSome, inFull, rows } from '../support/test-level.ts';
import {
  type Answer,
  expectedStacks,
  form,
  renamed,
  sampleEvent,
  sampleFile,
  smallMapText,
  upload,
  uploadJson,
  uploadZip,
  zipOf,
} from '../support/uploads.ts';

const file = 'https://cdn.example.com/assets/app.min.js';

const app = sharedApp();

async function eventFrames(eventId: string) {
  // On a slow machine an event runs out of its 250 ms and is mapped in the background.
  await app.deps.eventMapping.settled();
  const { status, body } = await app.get(`/events/${eventId}`);
  expect(status).toBe(200);
  return body.exception.values[0];
}

async function sendEvent(body: object): Promise<{ event_id: string; issue_id: number }> {
  const answer = await app.post('/store', body);
  expect(answer).toHaveStatus(201);
  return answer.body;
}

function sampleUpload(bundler: string, parts: Record<string, string>): Promise<Answer> {
  return upload(
    app,
    form({
      ...parts,
      minified_url: file,
      minified_file: { name: 'app.min.js', bytes: sampleFile(bundler, 'app.min.js') },
      source_map: { name: 'C:\\builds\\app.min.js.map', bytes: sampleFile(bundler, 'app.min.js.map') },
    }),
  );
}

async function expectMapped(bundler: string, eventId: string): Promise<void> {
  const exception = await eventFrames(eventId);
  const frames = exception.stacktrace.frames.toReversed();
  const raw = exception.raw_stacktrace.frames.toReversed();
  for (const [index, { minified, original }] of (expectedStacks[bundler]?.frames ?? []).entries()) {
    expect(raw[index]).toMatchObject({ filename: file, lineno: minified.line, colno: minified.column });
    if (original === null) {
      expect(frames[index]).toMatchObject({ filename: file, lineno: minified.line, colno: minified.column });
      continue;
    }
    expect(frames[index]).toMatchObject({
      filename: original.source,
      lineno: original.line,
      colno: original.column,
    });
    expect(frames[index].context_line.trim()).toBe(original.text);
    expect(frames[index].pre_context.length).toBeLessThanOrEqual(5);
  }
  expect(frames.slice(0, 2).map((frame: { function: string }) => frame.function)).toEqual(['add', 'label']);
}

describe.each(Object.keys(expectedStacks))('a program bundled by %s is mapped', (bundler) => {
  it('when its artifacts come first', async () => {
    const release = `first-${bundler}@1`;
    const { status, body } = await sampleUpload(bundler, { release });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      accepted: true,
      warnings: [],
      artifacts: [{ type: 'minified_source' }, { type: 'source_map' }],
    });
    const { event_id } = await sendEvent(sampleEvent(bundler, file, { release }));
    await expectMapped(bundler, event_id);
  });

  inFull(it)('when its artifacts come later, in the issue of the next event', async () => {
    const release = `later-${bundler}@1`;
    const { event_id, issue_id } = await sendEvent(sampleEvent(bundler, file, { release }));
    expect((await eventFrames(event_id)).raw_stacktrace).toBeUndefined();
    await sampleUpload(bundler, { release });
    await app.deps.eventMapping.settled();
    await expectMapped(bundler, event_id);
    const next = await sendEvent(sampleEvent(bundler, file, { release }));
    const issue = await app.get(`/issues/${issue_id}`);
    expect(next.issue_id).toBe(issue.body.id ?? issue.body.issue_id);
    expect(issue.body.activity).toContainEqual(
      expect.objectContaining({ kind: 'mapped', actor: 'symbolication', release, detail: { events: 1 } }),
    );
    const events = await app.get(`/issues/${issue_id}/events`);
    expect(events.body.map((event: { event_id: string }) => event.event_id)).toContain(event_id);
  });

  inFull(it)('when its artifacts came while no process could map it', async () => {
    const release = `restart-${bundler}@1`;
    const { event_id } = await sendEvent(sampleEvent(bundler, file, { release }));
    const arrived = app.deps.eventMapping.artifactsArrived;
    Object.assign(app.deps.eventMapping, { artifactsArrived: () => {} });
    await sampleUpload(bundler, { release });
    Object.assign(app.deps.eventMapping, { artifactsArrived: arrived });
    expect((await eventFrames(event_id)).raw_stacktrace).toBeUndefined();
    await app.deps.eventMapping.start();
    await expectMapped(bundler, event_id);
  });

  inFull(it)('by debug id, without any release', async () => {
    const debugId =
      bundler === 'esbuild' ? '11111111-2222-5333-8444-555555555555' : '66666666-7777-5888-9999-AAAAAAAAAAAA';
    const debug_meta = { images: [{ type: 'sourcemap', code_file: file, debug_id: debugId.toUpperCase() }] };
    const before = await sendEvent(sampleEvent(bundler, file, { debug_meta }));
    expect(await sampleUpload(bundler, { debug_id: debugId })).toHaveStatus(201);
    await app.deps.eventMapping.settled();
    await expectMapped(bundler, before.event_id);
    const after = await sendEvent(sampleEvent(bundler, file, { debug_meta }));
    await expectMapped(bundler, after.event_id);
  });
});

describe('finding the source map', () => {
  const frameOf = async (event: { event_id: string }) =>
    (await eventFrames(event.event_id)).stacktrace.frames[0];
  const eventAt = (filename: string, more: object) =>
    sendEvent({
      message: 'x',
      platform: 'javascript',
      exception: {
        values: [{ type: 'E', value: 'x', stacktrace: { frames: [{ filename, lineno: 1, colno: 1 }] } }],
      },
      ...more,
    });
  const named = (source: string) => smallMapText.replace('a.ts', source);

  it.each([
    ['a query in the address', '~/q/a.js.map', 'https://x.example/q/a.js?v=1', {}],
    ['a fragment in the address', '~/q/a.js.map', 'https://x.example/q/a.js#top', {}],
    ['any host', '~/q/a.js.map', 'http://other.example:8080/q/a.js', {}],
    ['a bundled app', '~/q/a.js.map', 'app:///q/a.js', {}],
    ['a path without ~', 'q/a.js.map', 'https://x.example/q/a.js', {}],
    ['a pattern', 'https://*.example/w/*.js.map', 'https://cdn.example/w/main.abc123.js', {}],
  ])('goes by %s', async (what, name, address) => {
    const release = `find ${what.replaceAll(' ', '-')}`;
    expect(await uploadJson(app, { release, files: [{ name, content: smallMapText }] })).toHaveStatus(201);
    expect(await frameOf(await eventAt(address, { release }))).toMatchObject({ filename: 'a.ts', lineno: 2 });
  });

  const plain = 'app/product/[id]/(shop)/@modal/my Größe.js';
  const encoded = encodeURIComponent(plain).replaceAll('%2F', '/');

  it.each([
    ['the map alone', plain, encoded, null],
    ['the map alone, uploaded encoded', encoded, plain, null],
    ['a script that names its map encoded', plain, encoded, encodeURIComponent('my Größe.js.map')],
    ['a script that names its map plain', encoded, plain, 'my Größe.js.map'],
  ])('compares names percent-decoded: %s', async (what, uploaded, sent, reference) => {
    const release = `encoded ${what}`;
    const script = { name: uploaded, content: `a()\n//# sourceMappingURL=${reference}` };
    const files = [
      ...(reference === null ? [] : [script]),
      {
        name: reference === null ? `${uploaded}.map` : uploaded.replace(/my.*$/, '$&.map'),
        content: smallMapText,
      },
    ];
    expect((await uploadJson(app, { release, files })).body).toMatchObject({ warnings: [] });
    const event = await eventAt(`https://x.example/${sent}`, { release });
    expect(await frameOf(event)).toMatchObject({ filename: 'a.ts', lineno: 2 });
  });

  it('finds the debug id of a script that the event spells in two ways', async () => {
    const debugId = '6e1fa4fc-4d2a-4cd0-b0e5-0a6c1d8e4d11';
    await uploadJson(app, { files: [{ name: '~/d.js.map', debug_id: debugId, content: smallMapText }] });
    const image = { type: 'sourcemap', code_file: 'https://x.example/p/[id].js', debug_id: debugId };
    const event = await eventAt('https://x.example/p/%5Bid%5D.js', { debug_meta: { images: [image] } });
    expect(await frameOf(event)).toMatchObject({ filename: 'a.ts', lineno: 2 });
  });

  inFull(it)('follows sourceMappingURL, also an inline map', async () => {
    const inline = `a()\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(named('inline.ts')).toString('base64')}`;
    const files = [
      { name: '~/s/a.js', content: 'a()\n//# sourceMappingURL=../maps/other.json\n' },
      { name: '~/maps/other.json', content: named('said.ts') },
      { name: '~/s/b.js', content: inline },
      { name: '~/s/c.js', content: 'c()', sourcemap: '~/maps/other.json' },
    ];
    expect((await uploadJson(app, { release: 'follow', files })).body.warnings).toEqual([]);
    const release = 'follow';
    expect(await frameOf(await eventAt('https://x.example/s/a.js', { release }))).toMatchObject({
      filename: 'said.ts',
    });
    expect(await frameOf(await eventAt('https://x.example/s/b.js', { release }))).toMatchObject({
      filename: 'inline.ts',
    });
    expect(await frameOf(await eventAt('https://x.example/s/c.js', { release }))).toMatchObject({
      filename: 'said.ts',
    });
  });

  inFull(it)('prefers the dist of the event to none, and the host to any', async () => {
    const release = 'dists';
    await uploadJson(app, {
      release,
      files: [
        { name: '~/a.js.map', content: named('none.ts') },
        { name: 'https://b.example/a.js.map', content: named('host.ts') },
      ],
    });
    await uploadJson(app, {
      release,
      dist: 'two',
      files: [{ name: '~/a.js.map', content: named('two.ts') }],
    });
    const at = async (host: string, more: object) =>
      (await frameOf(await eventAt(`https://${host}/a.js`, { release, ...more }))).filename;
    expect(await at('x.example', { dist: 'two' })).toBe('two.ts');
    expect(await at('x.example', { dist: 'three' })).toBe('none.ts');
    expect(await at('x.example', {})).toBe('none.ts');
    expect(await at('b.example', {})).toBe('host.ts');
  });

  it('shows lines of sources uploaded without sourcesContent', async () => {
    const bare = JSON.stringify({ version: 3, sources: ['../src/a.ts'], names: [], mappings: 'AACA' });
    const parts = {
      release: 'beside',
      minified_url: 'https://x.example/assets/a.js',
      source_map: { name: 'a.js.map', bytes: bare },
      'https://x.example/src/a.ts': { name: 'a.ts', bytes: 'one\ntwo\nthree' },
    };
    expect((await upload(app, form(parts))).body.warnings).toEqual([
      expect.stringContaining('no sourcesContent'),
    ]);
    const frame = await frameOf(await eventAt('https://x.example/assets/a.js', { release: 'beside' }));
    expect(frame).toMatchObject({ pre_context: ['one'], context_line: 'two', post_context: ['three'] });
  });

  it('never uses maps of another project', async () => {
    const other = await app.addProject('stranger');
    const release = 'crossing';
    const headers = { Authorization: `Bearer ${other.secretKey}`, 'Content-Type': 'application/json' };
    const sent = await upload(
      app,
      JSON.stringify({ release, files: [{ name: '~/a.js.map', content: smallMapText }] }),
      headers,
    );
    expect(sent).toHaveStatus(201);
    expect(await frameOf(await eventAt('https://x.example/a.js', { release }))).toMatchObject({ lineno: 1 });
    expect(await app.get(`/artifacts/${sent.body.artifact_ids[0]}`)).toHaveStatus(404);
    const mine = await uploadJson(app, { release, files: [{ name: '~/a.js.map', content: smallMapText }] });
    expect(mine).toMatchObject({ status: 201, body: { artifacts: [{ duplicate: false }] } });
  });

  it('says why a frame of a mapped script is not mapped', async () => {
    await uploadJson(app, { release: 'why', files: [{ name: '~/a.js.map', content: smallMapText }] });
    const frames = [{ filename: 'https://x.example/a.js', lineno: 1 }];
    const event = await sendEvent({
      message: 'x',
      platform: 'javascript',
      release: 'why',
      exception: { values: [{ type: 'E', stacktrace: { frames } }] },
    });
    const found = (await eventFrames(event.event_id)).stacktrace.frames[0];
    expect(found).toMatchObject({ lineno: 1, filename: 'https://x.example/a.js' });
  });
});

describe('an upload', () => {
  it('creates its release', async () => {
    await uploadJson(app, { release: 'made@1', files: [{ name: 'a.js', content: 'a()' }] });
    const { body } = await app.get('/releases?version=made%401');
    expect(body).toHaveLength(1);
    expect((await app.get(`/releases/${body[0].release_id}`)).body.artifact_count).toBe(1);
  });

  it('of an existing file is a 200 with the same id', async () => {
    const files = [{ name: 'twice.js', content: 'a()' }];
    const first = await uploadJson(app, { release: 'twice', files });
    const second = await uploadJson(app, { release: 'twice', files });
    expect(first).toMatchObject({ status: 201, body: { artifacts: [{ duplicate: false }] } });
    expect(second).toMatchObject({
      status: 200,
      body: { artifact_ids: first.body.artifact_ids, artifacts: [{ duplicate: true }] },
    });
  });

  inFull(it)('of other content under the same name replaces it, unless that is off', async () => {
    const send = (content: string, more: object = {}) =>
      uploadJson(app, {
        release: 'wins',
        files: [
          { name: 'a.js', content },
          { name: 'b.js', content: 'b' },
        ],
        ...more,
      });
    const first = await send('one');
    const refused = await send('two', { overwrite: false });
    expect(refused).toMatchObject({ status: 400, body: { code: 'notifier_artifact_exists' } });
    expect((await app.get('/artifacts?release=wins')).body).toHaveLength(2);
    const second = await send('two');
    expect(second).toHaveStatus(201);
    const listed = (await app.get('/artifacts?release=wins&search=a.js')).body;
    expect(listed.map((each: { artifact_id: number }) => each.artifact_id)).toEqual([
      second.body.artifact_ids[0],
    ]);
    const old = await app.get(`/artifacts/${first.body.artifact_ids[0]}`);
    expect(old.body.date_replaced).not.toBeNull();
  });

  it('may be compressed as a whole or file by file', async () => {
    const body = gzipSync(
      JSON.stringify({
        release: 'packed',
        files: [{ name: 'a.js.map.gz', content_base64: gzipSync(smallMapText).toString('base64') }],
      }),
    );
    const answer = await upload(app, body, {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { artifacts: [{ name: '~/a.js.map', type: 'source_map', size: smallMapText.length }] },
    });
  });

  it.each([
    ['files before their fields', ['file', 'release']],
    ['fields before their files', ['release', 'file']],
  ])('may have %s', async (_name, order) => {
    const data = new FormData();
    for (const name of order) {
      if (name === 'file') data.append('file', new Blob(['a()']), '/home/me/build/order.js');
      else data.append('release', 'order');
    }
    const answer = await upload(app, data);
    expect(answer.body.artifacts).toMatchObject([{ name: '~/order.js', release: 'order' }]);
  });

  it('accepts the field names of other services', async () => {
    const parts = {
      appVersion: 'names',
      minifiedUrl: 'http://x.example/n.js',
      sourceMap: { name: 'n.js.map', bytes: smallMapText },
      minifiedFile: { name: 'n.js', bytes: 'n()' },
    };
    const answer = await upload(app, form(parts));
    expect(answer.body.artifacts.map((each: { name: string }) => each.name).sort()).toEqual([
      'http://x.example/n.js',
      'http://x.example/n.js.map',
    ]);
  });

  inFull(it)('may be one of dozens at once', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      upload(app, form({ release: 'many', file: { name: `${index}.js`, bytes: `f(${index})` } })),
    );
    expect(new Set((await Promise.all(many)).map((answer) => answer.status))).toEqual(new Set([201]));
    expect((await app.get('/artifacts?release=many')).headers['x-wp-total']).toBe('40');
  });

  it('warns of files that will not work', async () => {
    const files = [
      { name: 'bare.js', content: 'a()' },
      { name: 'lost.js', content: 'a()\n//# sourceMappingURL=nowhere.map' },
      { name: 'x.js.map', content: JSON.stringify({ version: 3, sources: ['a'], mappings: 'AAAA' }) },
    ];
    const { status, body } = await uploadJson(app, { release: 'warned', files });
    expect(status).toBe(201);
    expect(body.warnings).toEqual([
      expect.stringContaining('has no sourceMappingURL'),
      expect.stringContaining('no sourcesContent'),
      expect.stringContaining('nowhere.map'),
    ]);
  });
});

describe('an upload that is refused', () => {
  const files = [{ name: 'a.js', content: 'a()' }];

  const cases = [
    ['no release and no debug id', { files }, /no debug ID, so a release is required/],
    ['a release with a slash', { release: 'feat/x', files }, /release/],
    ['a release that is a number', { release: 5, files }, /not of type string/],
    ['a dist that is too long', { release: 'r', dist: 'x'.repeat(65), files }, /dist must be at most 64/],
    ['no files', { release: 'r', files: [] }, /files/],
    ['101 files', { release: 'r', files: Array(101).fill(files[0]) }, /more than 100/],
    ['a name with ..', { release: 'r', files: [{ name: '../a.js', content: '' }] }, /must not contain/],
    ['a name with a tab', { release: 'r', files: [{ name: 'a\tb.js', content: '' }] }, /control characters/],
    [
      'a name that is too long',
      { release: 'r', files: [{ name: 'x'.repeat(1_025), content: '' }] },
      /at most 1024/,
    ],
    ['no name', { release: 'r', files: [{ content: '' }] }, /name/],
    ['an unknown type', { release: 'r', files: [{ name: 'a', type: 'wasm', content: '' }] }, /type/],
    [
      'a debug id that is none',
      { files: [{ name: 'a.js', debug_id: 'x', content: '' }] },
      /debug_id must be a UUID/,
    ],
    [
      'a map that is broken',
      { release: 'r', files: [{ name: 'a.js.map', content: '{"version":2}' }] },
      /a\.js\.map cannot be used/,
    ],
    [
      'a nested map',
      { release: 'r', files: [{ name: 'a.map', content: '{"version":3,"sections":['.repeat(5_000) }] },
      /nested more than/,
    ],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('for %s changes nothing', async (_name, body, words) => {
    const before = (await app.get('/artifacts')).headers['x-wp-total'];
    const answer = await uploadJson(app, body);
    expect(answer).toHaveStatus(400);
    expect(JSON.stringify(answer.body)).toMatch(words);
    expect((await app.get('/artifacts')).headers['x-wp-total']).toBe(before);
  });

  it.each([
    ['JSON that is none', 'application/json', '{', 'rest_invalid_json'],
    ['a multipart without boundary', 'multipart/form-data', 'x', 'notifier_multipart_invalid'],
    [
      'a multipart that is cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      'notifier_multipart_invalid',
    ],
    ['an archive that is none', 'application/zip', 'PK no archive', 'notifier_bundle_invalid'],
    ['another type', 'text/plain', 'a', 'rest_unsupported_media_type'],
  ])('is %s', async (_name, type, body, code) => {
    expect(await upload(app, body, { 'Content-Type': type })).toMatchObject({ status: 400, body: { code } });
  });

  it('is over 100 MiB, known before it is read', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(1024));
      },
    });
    const headers = { 'Content-Type': 'application/zip', 'Content-Length': String(101 * 1024 * 1024) };
    const sent = upload(app, body, headers).catch(() => ({
      status: 400,
      body: { code: 'rest_payload_too_large' },
    }));
    expect(await sent).toMatchObject({ status: 400, body: { code: 'rest_payload_too_large' } });
  });
});

describe('an archive', () => {
  const manifest = (release: string) =>
    JSON.stringify({
      release,
      files: {
        'files/_/_/a.js': { type: 'minified_source', url: '~/z/a.js', headers: { Sourcemap: 'a.js.map' } },
        'files/_/_/a.js.map': { type: 'source_map', url: '~/z/a.js.map' },
      },
    });

  it('with a manifest is stored by it, unless the query says otherwise', async () => {
    const files = {
      'manifest.json': manifest('zip@1'),
      'files/_/_/a.js': 'a()',
      'files/_/_/a.js.map': smallMapText,
    };
    const answer = await uploadZip(app, await zipOf(files));
    expect(answer).toMatchObject({
      status: 201,
      body: { artifacts: [{ name: '~/z/a.js', release: 'zip@1' }, { name: '~/z/a.js.map' }] },
    });
    const overridden = await uploadZip(app, await zipOf(files), '?release=zip%402&dist=d');
    expect(overridden.body.artifacts).toMatchObject([{ release: 'zip@2', dist: 'd' }, { release: 'zip@2' }]);
  });

  it('without a manifest is stored by its paths', async () => {
    const answer = await uploadZip(app, await zipOf({ 'assets/a.js': 'a()' }), '?release=zip');
    expect(answer.body.artifacts).toMatchObject([{ name: '~/assets/a.js' }]);
  });

  it('loses a bad file with a warning and keeps the others', async () => {
    const answer = await uploadZip(
      app,
      await zipOf({ 'a.js': 'a()', 'b.js.map': '{"version":2}' }),
      '?release=lenient',
    );
    expect(answer.body).toMatchObject({
      artifacts: [{ name: '~/a.js' }],
      warnings: [expect.any(String), expect.stringContaining('version is not 3')],
    });
  });

  const light = [
    [
      'leads out of it',
      async () => renamed(await zipOf({ 'aaaa.js': 'a' }), 'aaaa.js', '../a.js'),
      /invalid relative path/,
    ],
    [
      'is absolute',
      async () => renamed(await zipOf({ 'aaaa.js': 'a' }), 'aaaa.js', '/aaa.js'),
      /absolute path/,
    ],
    [
      'holds a backslash',
      async () => renamed(await zipOf({ 'aa.js': 'a' }), 'aa.js', 'a\\.js'),
      /invalid characters/,
    ],
    ['holds NUL', async () => renamed(await zipOf({ 'aa.js': 'a' }), 'aa.js', 'a\0.js'), /NUL/],
    [
      'comes twice',
      async () => renamed(await zipOf({ 'aa.js': 'a', 'bb.js': 'b' }), 'bb.js', 'aa.js'),
      /occurs twice/,
    ],
    ['belongs to a broken manifest', async () => zipOf({ 'manifest.json': '{"files":[]}' }), /manifest/],
    ['is a link', async () => zipOf({ 'a.js': '/etc/passwd' }, { mode: 0o120777 }), /is a link/],
  ] as const;
  const large = [
    [
      'hides a bomb',
      async () => zipOf({ 'a.js': Buffer.alloc(40 * 1024 * 1024) }),
      /more than 100 times larger/,
    ],
    [
      'is larger than a file may be',
      async () => zipOf({ 'a.js': Buffer.alloc(51 * 1024 * 1024) }),
      /larger than 52428800 bytes/,
    ],
    [
      'has 2,000 others beside it',
      async () => zipOf(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.js`, '']))),
      /more than 2000 entries/,
    ],
  ] as const;
  it.each<readonly [string, () => Promise<Buffer>, RegExp]>(
    rows(() => fullOrShort([...light, ...large], [...light])),
  )('whose file %s is a 400', async (_name, make, words) => {
    const answer = await uploadZip(app, await make(), '?release=bad');
    expect(answer).toMatchObject({ status: 400, body: { code: 'notifier_bundle_invalid' } });
    expect(answer.body.message).toMatch(words);
  });
});

describe('artifacts', () => {
  it('are listed in pages, filtered by release and debug id', async () => {
    const debugId = '01234567-89ab-4cde-8f01-23456789abcd';
    await uploadJson(app, {
      release: 'list',
      files: [
        { name: 'a.js', content: 'a' },
        { name: 'b.js', content: 'b', debug_id: debugId },
        { name: 'c.js', content: 'c' },
      ],
    });
    const page = await app.get('/artifacts?release=list&per_page=2');
    expect(page.body).toHaveLength(2);
    expect(page.headers).toMatchObject({ 'x-wp-total': '3', 'x-wp-totalpages': '2' });
    expect(page.headers['link']).toContain('rel="next"');
    const byId = await app.get(`/artifacts?debug_id=${debugId.toUpperCase()}`);
    expect(byId.body).toMatchObject([{ name: '~/b.js', debug_id: debugId }]);
    expect(await app.get('/artifacts?debug_id=x')).toHaveStatus(400);
  });

  it('are read and removed one by one', async () => {
    const { body } = await uploadJson(app, { release: 'gone', files: [{ name: 'a.js', content: 'gone' }] });
    const path = `/artifacts/${body.artifact_ids[0]}`;
    const before = await app.get(path);
    expect(before.body).toMatchObject({ name: '~/a.js', size: 4, release: 'gone' });
    const remove = () => app.deleteSecret(path);
    expect((await remove()).body).toEqual({ deleted: true, previous: before.body });
    expect((await remove()).body).toMatchObject({
      code: 'notifier_artifact_invalid_id',
      data: { status: 404 },
    });
    expect(await app.get('/artifacts/0')).toHaveStatus(404);
    expect((await app.get('/artifacts?release=gone')).body).toEqual([]);
  });

  it('are deleted 30 days after replacement, unused contents after one', async () => {
    const send = (content: string) => uploadJson(app, { release: 'old', files: [{ name: 'a.js', content }] });
    const first = await send('old one');
    await send('old two');
    await app.deps.store.sweep(app.deps.now() + 29 * 86_400_000);
    expect(await app.get(`/artifacts/${first.body.artifact_ids[0]}`)).toHaveStatus(200);
    await app.deps.store.sweep(app.deps.now() + 31 * 86_400_000);
    expect(await app.get(`/artifacts/${first.body.artifact_ids[0]}`)).toHaveStatus(404);
    const { sha256 } = first.body.artifacts[0];
    expect(await app.deps.store.findContent(app.project.id, sha256)).toBeNull();
    expect(await send('old two')).toHaveStatus(200);
  });
});
