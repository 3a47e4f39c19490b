import { expect, it } from '@jest/globals';
import { attacks } from '../../browser/pages/attacks.ts';
import { shared } from '../../support/shared.ts';
import { allOrSome, fullOrShort, inFull } from '../../support/test-level.ts';
import { openWorkspace } from '../../support/workspace.ts';

/** `attachment` and one name, perhaps a second time for letters that a header cannot hold. */
const oneName =
  /^attachment; filename=(?:[\w.-]+|"(?:[^"\\\r\n/]|\\.)*")(?:; filename\*=UTF-8''[\w%.~!*()'-]*)?$/;

const workspace = shared(() => openWorkspace());

/** Those, and each as it may stand behind a path; in the short form each in one of these places, in turn. */
const asked = () =>
  attacks.flatMap((text, index) => {
    const places = [text, `/${text}`, `/issues/${text}`];
    return fullOrShort(places, index % 4 === 0 ? places.slice(index % 3, (index % 3) + 1) : []);
  });

function leadsOut(location: string | null): boolean {
  const { origin } = workspace.app;
  const isPath = location !== null && /^\/(?![/\\])/.test(location) && !/[\r\n]/.test(location);
  return !isPath || new URL(location, origin).origin !== origin;
}

inFull(it)('redirects back to our own pages only, whatever a form says', async () => {
  const found: string[] = [];
  for (const back of asked()) {
    const { status, location } = await workspace.admin.post('/members/sessions/end-others', { back });
    if (status !== 303 || leadsOut(location)) found.push(`${back}: ${status} ${location}`);
  }
  expect(found).toEqual([]);
});

it('redirects to our own pages only after sign-in, whatever the address says', async () => {
  const found: string[] = [];
  for (const next of asked()) {
    const { browser } = workspace.viewer;
    const { status, location } = await browser.get(`/sign-in?${new URLSearchParams({ next })}`);
    // Who is signed in is led on at once, to their page or to the first.
    if (status === 303 && leadsOut(location)) found.push(`${next}: ${location}`);
    if (status !== 303 && status !== 200) found.push(`${next}: ${status}`);
  }
  expect(found).toEqual([]);
});

inFull(it)('redirects signed-out visitors to our own sign-in page', async () => {
  const found: string[] = [];
  const { agent } = workspace.app;
  for (const text of allOrSome(attacks, 3)) {
    const path = `/issues?q=${encodeURIComponent(text.toWellFormed())}`;
    const { status, headers } = await agent.get(path).set('accept', 'text/html').redirects(0);
    if (status !== 303 || leadsOut(headers['location'] ?? null)) found.push(`${text}: ${status}`);
  }
  expect(found).toEqual([]);
});

it('exports no formula: a cell that would be one begins as text', async () => {
  const formulas = attacks.filter((text) => /^\s*[=+\-@]/.test(text));
  expect(formulas.length).toBeGreaterThan(8);
  for (const name of formulas)
    await workspace.admin.post('/members', { name, role: 'viewer', access: 'all' });
  const { text, headers } = await workspace.admin.get('/audit.csv');
  expect(headers['content-disposition']).toBe('attachment; filename=audit.csv');
  const cells = cellsOf(text);
  expect(cells.filter((cell) => /^[\s\0]*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  expect(cells).toEqual(expect.arrayContaining(["'=1+1", "'@SUM(1+1)", "'+1+1"]));
});

it('gives downloads a file name in one ASCII header', async () => {
  const [eventId] = workspace.world.eventIds;
  const { basket } = workspace.world.issueIds;
  for (const ending of ['/download', '.md']) {
    const { status, headers } = await workspace.viewer.get(`/issues/${basket}/events/${eventId}${ending}`);
    expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff']);
    expect(headers['content-disposition']).toMatch(/^attachment; filename=[\w.-]+$/);
    expect(headers['content-type']).toMatch(/^(application\/json|text\/markdown)/);
  }
});

it('offers an attachment under a plain file name, and never as a page', async () => {
  const { app, viewer, world } = workspace;
  const [eventId = ''] = world.eventIds;
  const names = attacks.filter((text) => !text.includes('\0')).slice(0, 20);
  const hostile = [
    ...names.slice(0, 15),
    'a"; filename="p.html',
    '../../etc/passwd',
    'p.svg',
    'p.html',
    'x\r\nA: b',
  ];
  for (let at = 0; at < hostile.length; at += 5) {
    const items = hostile.slice(at, at + 5).map((filename) => {
      const bytes = '<script>window.__p=1</script>';
      const head = { type: 'attachment', length: bytes.length, filename, content_type: 'text/html' };
      return `${JSON.stringify(head)}\n${bytes}\n`;
    });
    const body = `${JSON.stringify({ event_id: eventId })}\n${items.join('')}`;
    const { status } = await app.agent
      .post('/wp-json/notifier/v1/envelope')
      .set({ 'X-Notifier-Key': app.publicKey, 'Content-Type': 'application/x-sentry-envelope' })
      .send(body);
    expect([200, 201]).toContain(status);
  }
  const { body } = await app.get(`/events/${eventId}`);
  const ids = (body.attachments as Array<{ attachment_id: number }>).map((each) => each.attachment_id);
  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids) {
    const path = `/issues/${world.issueIds.basket}/events/${eventId}/attachments/${id}`;
    const { status, headers } = await viewer.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(headers['content-disposition']).toMatch(oneName);
    expect(headers['a']).toBeUndefined();
  }
});

/** The cells of a CSV as RFC 4180 has it. */
function cellsOf(text: string): string[] {
  const cells = text.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^,\r\n]*))/g);
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
