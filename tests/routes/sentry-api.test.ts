import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createUnfinishedLimitError } from '../../src/core/source-maps/artifacts.ts';
import { wholeAudit } from '../support/audit.ts';
import { sharedApp } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';
import { smallMapText, zipOf } from '../support/uploads.ts';

const organisation = '/api/0/organizations/any';

const app = sharedApp();

async function call(method: string, path: string, body?: unknown, token = app.secretKey) {
  const isForm = body instanceof FormData;
  const response = await fetch(app.origin + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

function chunkForm(chunks: Uint8Array[], field = 'file_gzip', name?: string): FormData {
  const form = new FormData();
  for (const chunk of chunks) {
    const sent = field === 'file_gzip' ? gzipSync(chunk) : chunk;
    form.append(field, new Blob([Buffer.from(sent)]), name ?? sha1(chunk));
  }
  return form;
}

async function bundle(manifest: object): Promise<{ checksum: string; chunks: Buffer[]; names: string[] }> {
  const zip = await zipOf({
    'manifest.json': JSON.stringify({
      files: { 'files/a.js.map': { type: 'source_map', url: '~/a.js.map' } },
      ...manifest,
    }),
    'files/a.js.map': smallMapText,
  });
  const chunks = [zip.subarray(0, 100), zip.subarray(100)];
  return { checksum: sha1(zip), chunks, names: chunks.map(sha1) };
}

describe('the Sentry API', () => {
  it.each(['', 'wrong', 'public'])('refuses the token %j with 401', async (token) => {
    const { status, body } = await call(
      'GET',
      '/api/0/',
      undefined,
      token === 'public' ? app.publicKey : token,
    );
    expect({ status, body }).toEqual({
      status: 401,
      body: { detail: 'Sorry, you are not allowed to do that.' },
    });
  });

  it('shows the scopes of the token, and is 404 for other paths', async () => {
    expect((await call('GET', '/api/0/')).body.auth.scopes).toContain('project:releases');
    expect(await call('GET', '/api/0/elsewhere/')).toHaveStatus(404);
  });

  it.each(['%zz', '%ff', '%'])('answers 400 to a path that cannot be decoded: %s', async (part) => {
    for (const path of [`${organisation}/releases/${part}/`, `/api/0/projects/any/${part}/issues/`]) {
      const { status, body } = await call('GET', path, undefined, 'no-key');
      const detail = 'The path holds a % that is not the code of a character.';
      expect({ status, body }).toEqual({ status: 400, body: { detail } });
    }
  });

  it('answers a message to a body that is too large or not JSON', async () => {
    const send = (body: string) =>
      fetch(`${app.origin}${organisation}/releases/`, {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${app.secretKey}` },
      });
    expect(await send('{')).toHaveStatus(400);
    const large = await send(JSON.stringify({ version: 'x', ref: 'x'.repeat(6_000_000) }));
    expect(large).toHaveStatus(413);
    expect(await large.json()).toHaveProperty('detail');
  });

  it('refuses a Content-Length over the limit at once, and reads no bombs', async () => {
    const { hostname, port } = new URL(app.origin);
    const head = [
      `POST ${organisation}/releases/ HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${app.secretKey}`,
      'Content-Length: 99999999999',
    ];
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.setEncoding('latin1').once('data', (chunk) => {
        resolve(String(chunk));
        socket.destroy();
      });
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
    const bomb = brotliCompressSync(Buffer.alloc(32 * 1_048_576, 0x20), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const answer = await fetch(`${app.origin}${organisation}/releases/`, {
      method: 'POST',
      body: bomb,
      headers: { Authorization: `Bearer ${app.secretKey}`, 'Content-Encoding': 'br' },
    });
    expect([400, 413]).toContain(answer.status);
  });
});

describe('releases', () => {
  it.each([
    ['of the organisation', organisation],
    ['of a project, as older clients say it', '/api/0/projects/any/test'],
  ])('%s are created, finalised, archived and deleted', async (_name, base) => {
    const version = `${base.length}@1+build`;
    const path = `${base}/releases/${encodeURIComponent(version)}/`;
    const started = '2026-11-20T23:33:27.442307317Z';
    const made = await call('POST', `${base}/releases/`, {
      version,
      projects: ['test'],
      dateStarted: started,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { version, dateReleased: null, projects: [{ slug: 'test' }] },
    });
    expect(await call('POST', `${base}/releases/`, { version, projects: ['test'] })).toHaveStatus(208);
    const final = await call('PUT', path, { projects: ['test'], dateReleased: started });
    expect(final).toMatchObject({ status: 200, body: { dateReleased: '2026-11-20T23:33:27.442Z' } });
    const archived = await call('POST', `${base}/releases/`, { version, projects: [], status: 'archived' });
    expect(archived).toMatchObject({ status: 208, body: { status: 'archived' } });
    expect((await call('GET', path)).body).toMatchObject({ version, shortVersion: '1+build' });
    expect((await call('GET', `${base}/releases/`)).body).toContainEqual(
      expect.objectContaining({ version }),
    );
    expect(await call('DELETE', path)).toEqual({ status: 204, body: null });
    expect(await call('GET', path)).toHaveStatus(404);
    const [entry] = await app.deps.store.listAudit(wholeAudit, { limit: 1 });
    expect(entry).toMatchObject({ action: 'release.deleted', objectName: version });
  });

  it('have commits, and none of earlier releases', async () => {
    const path = `${organisation}/releases/commits%401/`;
    expect((await call('GET', `${organisation}/repos/?cursor=`)).body).toEqual([]);
    const commits = [
      {
        id: 'a'.repeat(40),
        author_name: 'Ada',
        timestamp: '2026-11-20T00:00:00+01:00',
        patch_set: [{ path: 'a', type: 'A' }],
      },
    ];
    expect((await call('PUT', path, { commits })).body).toMatchObject({ commitCount: 1 });
    const list = {
      status: 200,
      body: [
        {
          id: 'a'.repeat(40),
          message: null,
          dateCreated: '2026-11-19T23:00:00.000Z',
          author: { name: 'Ada', email: null },
          repository: null,
          pullRequest: null,
          releases: [],
        },
      ],
    };
    expect(await call('GET', `${path}commits/`)).toEqual(list);
    expect(await call('GET', '/api/0/projects/any/test/releases/commits%401/commits/')).toEqual(list);
    await call('POST', `${organisation}/releases/`, { version: 'commits@none' });
    expect((await call('GET', `${organisation}/releases/commits%40none/commits/`)).body).toEqual([]);
    expect(await call('GET', `${organisation}/releases/commits%40never/commits/`)).toHaveStatus(404);
  });

  it('continue from the newest release of their package with commits', async () => {
    const previousOf = async (version: string) => {
      const path = `${organisation}/releases/${encodeURIComponent(version)}/previous-with-commits/`;
      const { status, body } = await call('GET', path);
      return [status, body.version, body.lastCommit];
    };
    const create = async (version: string, commits: object[] = []) => {
      app.advance(1_000);
      await call('POST', `${organisation}/releases/`, { version, commits });
    };
    expect(await previousOf('previous@1')).toEqual([200, undefined, undefined]);
    await create('previous@1', [{ id: 'b'.repeat(40) }, { id: 'a'.repeat(40) }]);
    await create('previous@2');
    await create('other@1', [{ id: 'c'.repeat(40) }]);
    await create('previous@3', [{ id: 'd'.repeat(40) }]);
    expect(await previousOf('previous@1')).toEqual([200, undefined, undefined]);
    for (const later of ['previous@2', 'previous@3']) {
      expect(await previousOf(later)).toEqual([200, 'previous@1', { id: 'b'.repeat(40) }]);
    }
    expect((await previousOf('previous@4'))[1]).toBe('previous@3');
  });

  it('have deploys, whose unset members are null', async () => {
    const path = `${organisation}/releases/deploys%401/deploys/`;
    const deploy = {
      environment: 'production',
      name: null,
      url: null,
      dateStarted: null,
      dateFinished: null,
    };
    expect(await call('POST', path, deploy)).toMatchObject({
      status: 201,
      body: { environment: 'production', name: null },
    });
    expect((await call('GET', path)).body).toHaveLength(1);
    expect(await call('POST', path, { name: 'x' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('environment') },
    });
  });

  it('with an invalid version are refused with the reason', async () => {
    const { status, body } = await call('POST', `${organisation}/releases/`, { version: 'feat/x' });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/version.*\//);
  });
});

describe('an artifact bundle', () => {
  const assemble = (body: unknown, path = `${organisation}/artifactbundle/assemble/`) =>
    call('POST', path, body);
  const upload = (form: FormData) => call('POST', `${organisation}/chunk-upload/`, form);

  inFull(it)('is uploaded by its missing chunks, and stored once they arrived', async () => {
    const { checksum, chunks, names } = await bundle({ release: 'bundle@1' });
    const asked = { checksum, chunks: names, projects: ['test'] };
    expect((await assemble(asked)).body).toEqual({ state: 'not_found', missingChunks: names });
    expect(await upload(chunkForm(chunks.slice(0, 1)))).toHaveStatus(200);
    expect((await assemble(asked)).body).toEqual({ state: 'not_found', missingChunks: names.slice(1) });
    await upload(chunkForm(chunks.slice(1), 'file'));
    expect((await assemble(asked)).body).toMatchObject({ state: 'ok', missingChunks: [] });
    expect((await app.get('/artifacts?release=bundle%401')).body).toMatchObject([
      { name: '~/a.js.map', type: 'source_map' },
    ]);
    expect((await assemble({ ...asked, version: 'bundle@2', dist: 'd' })).body.state).toBe('ok');
    expect((await app.get('/artifacts?release=bundle%402')).body).toMatchObject([{ dist: 'd' }]);
  });

  it('of a release is stored by the older path too, many times at once', async () => {
    const { checksum, chunks, names } = await bundle({ release: 'ignored' });
    await upload(chunkForm(chunks));
    const path = `${organisation}/releases/older%401/assemble/`;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => assemble({ checksum, chunks: names }, path)),
    );
    expect(answers.map((answer) => answer.body.state)).toEqual(Array(5).fill('ok'));
    expect((await app.get('/artifacts?release=older%401')).body).toHaveLength(1);
  });

  it('never takes the chunks of another project', async () => {
    const { checksum, chunks, names } = await bundle({ release: 'stranger@1' });
    await upload(chunkForm(chunks));
    const other = await app.addProject('stranger');
    const asked = { checksum, chunks: names };
    const answer = await call('POST', `${organisation}/artifactbundle/assemble/`, asked, other.secretKey);
    expect(answer.body).toEqual({ state: 'not_found', missingChunks: names });
  });

  it('that is corrupt is refused with the reason', async () => {
    const noise = Buffer.from('this is no archive');
    await upload(chunkForm([noise]));
    const chunks = [sha1(noise)];
    expect((await assemble({ checksum: sha1(noise), chunks })).body).toMatchObject({
      state: 'error',
      detail: expect.stringContaining('archive'),
    });
    expect((await assemble({ checksum: 'f'.repeat(40), chunks })).body).toMatchObject({
      state: 'error',
      detail: expect.stringContaining('do not match the checksum'),
    });
    const { checksum, chunks: parts, names } = await bundle({});
    await upload(chunkForm(parts));
    expect((await assemble({ checksum, chunks: names })).body).toMatchObject({
      state: 'error',
      detail: expect.stringContaining('release'),
    });
  });

  it.each([
    ['that is not what its name says', () => chunkForm([Buffer.from('a')], 'file', 'f'.repeat(40))],
    ['that is no gzip', () => chunkForm([Buffer.from('a')], 'file', sha1(Buffer.from('a')))],
    ['that is too large', () => chunkForm([Buffer.alloc(1024 * 1024 + 1)])],
  ])('a chunk %s is refused', async (what, make) => {
    const form = make();
    if (what.includes('gzip')) {
      form.append('file_gzip', new Blob(['a']), sha1(Buffer.from('a')));
    }
    expect(await upload(form)).toHaveStatus(400);
  });

  it('is requested by valid checksums', async () => {
    expect(await assemble({ checksum: 'x', chunks: [] })).toHaveStatus(400);
    expect((await assemble({ checksum: 'f'.repeat(40), chunks: [] })).body.state).toBe('not_found');
  });

  it('is of 1,000 chunks at most', async () => {
    const chunks = Array.from({ length: 1_001 }, (_, nth) => nth.toString(16).padStart(40, '0'));
    const checksum = 'f'.repeat(40);
    expect((await assemble({ checksum, chunks: chunks.slice(1) })).body.state).toBe('not_found');
    expect(await assemble({ checksum, chunks })).toHaveStatus(400);
  });

  it('shows its limits', async () => {
    const { body } = await call('GET', `${organisation}/chunk-upload/`);
    expect(body).toMatchObject({
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      accept: expect.arrayContaining(['artifact_bundles']),
    });
    expect(body.url).toBe(`${app.origin}${organisation}/chunk-upload/`);
    expect(Math.log2(body.chunkSize) % 1).toBe(0);
  });
});

describe('an upload past the limit of unfinished ones', () => {
  const refused = () => Promise.reject(createUnfinishedLimitError(5 * 1024 ** 3));
  const chunkUpload = (form: FormData) => call('POST', `${organisation}/chunk-upload/`, form);

  it('is refused chunk by chunk with a message, and changes nothing', async () => {
    const { writeChunk } = app.deps.store;
    Object.assign(app.deps.store, { writeChunk: refused });
    const chunk = Buffer.from('one chunk too many');
    const answer = await chunkUpload(chunkForm([chunk]));
    Object.assign(app.deps.store, { writeChunk });
    expect(answer).toHaveStatus(400);
    expect(answer.body.detail).toContain('5368709120 bytes');
    expect(await app.deps.store.missingChunks(app.project.id, [sha1(chunk)])).toEqual([sha1(chunk)]);
  });

  it('is refused as a whole if it is an archive, which skips only files with errors of their own', async () => {
    const { checksum, chunks, names } = await bundle({ release: 'unfinished@1' });
    await chunkUpload(chunkForm(chunks));
    const assemble = () =>
      call('POST', `${organisation}/artifactbundle/assemble/`, {
        checksum,
        chunks: names,
        version: 'unfinished@1',
      });
    const { keepSmallContents } = app.deps.store;
    Object.assign(app.deps.store, { keepSmallContents: refused });
    const answer = await assemble();
    Object.assign(app.deps.store, { keepSmallContents });
    expect(answer.body).toMatchObject({
      state: 'error',
      detail: expect.stringContaining('5368709120 bytes'),
    });
    expect((await app.get('/releases?version=unfinished@1')).body).toEqual([]);
    expect((await assemble()).body).toMatchObject({ state: 'ok' });
  });

  it('no longer counts the chunks of a stored bundle', async () => {
    const { checksum, chunks, names } = await bundle({ release: 'finished@1' });
    await chunkUpload(chunkForm(chunks));
    const filed: string[] = [];
    const { chunksFiled } = app.deps.store;
    Object.assign(app.deps.store, {
      chunksFiled: async (projectId: number, sha1s: string[]) => {
        filed.push(...sha1s);
        await chunksFiled(projectId, sha1s);
      },
    });
    const asked = { checksum, chunks: names, version: 'finished@1' };
    expect((await call('POST', `${organisation}/artifactbundle/assemble/`, asked)).body.state).toBe('ok');
    Object.assign(app.deps.store, { chunksFiled });
    expect(filed).toEqual(names);
  });
});
