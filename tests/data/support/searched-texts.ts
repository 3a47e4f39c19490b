// Every list that can be searched and every text that a search of it looks at: how a row with such a text
// comes to be, and how many rows a search finds.

import type { Store } from '../../../src/core/store/store.ts';
import type { NewTestUpload } from '../../../src/core/store/test-runs.ts';
import { deployOf } from './deploys.ts';
import { eventOf, hashOf, startMs } from './events.ts';
import { releaseOf } from './releases.ts';
import { reportOf } from './reports.ts';
import { testUploadOf } from './test-uploads.ts';

export interface SearchedText {
  readonly list: string;
  readonly text: string;
  /** Keeps one more row with this text, in an empty project 1 or beside rows of its own. */
  keep(store: Store, text: string, word: string): Promise<unknown>;
  count(store: Store, search: string): Promise<number>;
}

const page = { descending: true, limit: 100, offset: 0 } as const;

const issues = async (store: Store, search: string): Promise<number> =>
  (await store.listIssues(1, { ...page, orderBy: 'id', search })).total;
const events = async (store: Store, search: string): Promise<number> => {
  const { rows } = await store.listIssues(1, { ...page, orderBy: 'id' });
  const found = await Promise.all(
    rows.map((issue) => store.listIssueEvents(1, issue.id, { ...page, search })),
  );
  return found.reduce((sum, list) => sum + (list?.total ?? 0), 0);
};
const feedback = async (store: Store, search: string): Promise<number> =>
  (await store.listFeedback(1, { ...page, spam: false, search })).total;
const releases = async (store: Store, search: string): Promise<number> =>
  (await store.listReleases(1, { ...page, orderBy: 'version', search })).total;
const deploys = async (store: Store, search: string): Promise<number> =>
  (await store.listDeploys(1, { ...page, orderBy: 'date_created', search })).total;
const runs = async (store: Store, search: string): Promise<number> =>
  (await store.listTestRuns(1, { ...page, orderBy: 'created_at', search })).total;
const artifacts = async (store: Store, search: string): Promise<number> =>
  (await store.listArtifacts(1, { ...page, search })).total;
const results = async (store: Store, search: string): Promise<number> => {
  const { rows } = await store.listTestRuns(1, { ...page, orderBy: 'created_at' });
  const found = await Promise.all(rows.map((run) => store.listTestResults(run.id, { ...page, search })));
  return found.reduce((sum, list) => sum + list.total, 0);
};

/** A run of one case; what is said of the case replaces what it has. */
function oneCase(word: string, said: Partial<NewTestUpload['cases'][number]>): NewTestUpload {
  const upload = testUploadOf(word, ['case passed']);
  return { ...upload, cases: upload.cases.map((one) => ({ ...one, ...said })) };
}

async function keepArtifact(store: Store, name: string, word: string): Promise<void> {
  const content = { sha256: hashOf(word), size: 1, bytes: Buffer.from('x') };
  await store.keepSmallContents(1, [content], startMs);
  const artifact = {
    projectId: 1,
    release: '1.0',
    dist: null,
    name,
    type: 'minified_source' as const,
    debugId: null,
    sourceMap: null,
    hasInlineMap: false,
    size: content.size,
    sha256: content.sha256,
  };
  await store.recordArtifacts([artifact], { overwrite: true, nowMs: startMs });
}

type Row = readonly [list: string, text: string, keep: SearchedText['keep'], count: SearchedText['count']];

const rows: readonly Row[] = [
  ['issues', 'title', (store, title, kind) => store.recordEvent(eventOf({ kind, title })), issues],
  ['issues', 'culprit', (store, culprit, kind) => store.recordEvent(eventOf({ kind, culprit })), issues],
  ['events', 'title', (store, title) => store.recordEvent(eventOf({ title })), events],
  ['events', 'culprit', (store, culprit) => store.recordEvent(eventOf({ culprit })), events],
  ['feedback', 'message', (store, message) => store.recordFeedback(reportOf({ message })), feedback],
  ['feedback', 'name', (store, name) => store.recordFeedback(reportOf({ name })), feedback],
  ['feedback', 'email', (store, email) => store.recordFeedback(reportOf({ email })), feedback],
  ['feedback', 'url', (store, url) => store.recordFeedback(reportOf({ url })), feedback],
  ['releases', 'version', (store, version) => store.upsertRelease(releaseOf(version)), releases],
  ['releases', 'version of a deploy', (store, version) => store.recordDeploy(deployOf(version)), releases],
  ['releases', 'version of an event', (store, release) => store.recordEvent(eventOf({ release })), releases],
  ['releases', 'ref', (store, ref, word) => store.upsertRelease(releaseOf(word, { ref })), releases],
  ['deploys', 'version', (store, version) => store.recordDeploy(deployOf(version)), deploys],
  [
    'deploys',
    'environment',
    (store, environment) => store.recordDeploy(deployOf('1', { environment })),
    deploys,
  ],
  ['deploys', 'name', (store, name) => store.recordDeploy(deployOf('1', { name })), deploys],
  [
    'test runs',
    'suite',
    (store, suite, word) => store.recordTestRun(testUploadOf(word, [], { suite })),
    runs,
  ],
  [
    'test runs',
    'branch',
    (store, branch, word) => store.recordTestRun(testUploadOf(word, [], { branch })),
    runs,
  ],
  [
    'test runs',
    'commit',
    (store, commit, word) => store.recordTestRun(testUploadOf(word, [], { commit })),
    runs,
  ],
  [
    'test runs',
    'release',
    (store, release, word) => store.recordTestRun(testUploadOf(word, [], { release })),
    runs,
  ],
  ['test results', 'name', (store, name, word) => store.recordTestRun(oneCase(word, { name })), results],
  [
    'test results',
    'suite',
    (store, text, word) => store.recordTestRun(oneCase(word, { suite: [text] })),
    results,
  ],
  ['test results', 'file', (store, file, word) => store.recordTestRun(oneCase(word, { file })), results],
  ['artifacts', 'name', keepArtifact, artifacts],
];

export const searchedTexts: readonly SearchedText[] = rows.map(([list, text, keep, count]) => ({
  list,
  text,
  keep,
  count,
}));
