// Reads the verdict of a release from Notifier, writes it to the log and the summary of the build, keeps one comment
// about it on the pull request, and ends with 1 on `fail` if asked. Node 18 or newer; docs/ci.md has the settings.
import { appendFileSync } from 'node:fs';

const { env } = process;
const marker = '<!-- notifier-verdict -->';
const timeoutMs = 30_000;
const casesShown = 20;
const commentPagesMax = 10;

async function getJson(url, options) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw Object.assign(new Error(`${new URL(url).pathname} was answered ${response.status}.`), {
    status: response.status,
    text,
  });
}

/** Names come from the code of the pull request, and must not become Markdown or mentions. */
function codeSpan(text) {
  const line = String(text).replace(/\s+/g, ' ').trim().slice(0, 200);
  const ticks = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(ticks + 1);
  return ticks === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

function plain(text) {
  const line = String(text).replace(/\s+/g, ' ').slice(0, 500);
  return line.replace(/[\\`*_[\]<>|~#]/g, '\\$&').replaceAll('@', '@\u200b');
}

function caseList(title, cases) {
  if (cases.length === 0) return [];
  const lines = cases.slice(0, casesShown).map(({ name, file, run_suite: suite }) => {
    const place = [file, suite].filter(Boolean).map(codeSpan).join(', ');
    return `- ${codeSpan(name)}${place === '' ? '' : ` in ${place}`}`;
  });
  const others = cases.length - lines.length;
  return ['', `**${title}**`, '', ...lines, ...(others > 0 ? [`- and ${others} more`] : [])];
}

function writeComment({ release_id: id, version, verdict, reasons, checks }, pagesUrl = '') {
  const { failed_cases: failed, flaky_cases: flaky, quarantined } = checks.tests;
  const name = pagesUrl === '' ? codeSpan(version) : `[${codeSpan(version)}](${pagesUrl}/releases/${id})`;
  return [
    marker,
    `### Notifier: ${verdict}`,
    '',
    `Release ${name}`,
    '',
    ...reasons.map((reason) => `- ${plain(reason)}`),
    ...caseList(
      'New failures',
      failed.filter(({ is_new: isNew }) => isNew),
    ),
    ...caseList(
      'Failures that other branches have too',
      failed.filter(({ is_new: isNew }) => !isNew),
    ),
    ...caseList('Flaky tests', flaky),
    ...(quarantined > 0 ? ['', `Failures in quarantine: ${quarantined}`] : []),
    '',
  ].join('\n');
}

/** Changes the comment with the marker. Without one it writes one, but not to say only that all is well. */
async function keepComment(body, isWorthSaying) {
  const api = (env.GITHUB_API_URL || 'https://api.github.com').replace(/\/$/, '');
  const repository = `${api}/repos/${env.GITHUB_REPOSITORY}`;
  const headers = {
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${env.GITHUB_TOKEN}`,
    'Content-Type': 'application/json',
    'X-GitHub-Api-Version': '2022-11-28',
  };
  const comments = `${repository}/issues/${env.NOTIFIER_PULL_REQUEST}/comments`;
  for (const id of await findMarked(comments, headers)) {
    try {
      const change = { method: 'PATCH', headers, body: JSON.stringify({ body }) };
      return await getJson(`${repository}/issues/comments/${id}`, change);
    } catch (error) {
      // Somebody else copied the marker into a comment of theirs.
      if (error.status !== 403 && error.status !== 404) throw error;
    }
  }
  if (isWorthSaying) await getJson(comments, { method: 'POST', headers, body: JSON.stringify({ body }) });
}

async function findMarked(comments, headers) {
  const ids = [];
  for (let page = 1; page <= commentPagesMax; page += 1) {
    const found = await getJson(`${comments}?per_page=100&page=${page}`, { headers });
    ids.push(...found.filter(({ body }) => body?.startsWith(marker)).map(({ id }) => id));
    if (found.length < 100) break;
  }
  return ids;
}

async function main() {
  if (!env.NOTIFIER_SECRET_KEY || !env.NOTIFIER_RELEASE_ID) {
    console.log('Nothing was sent to Notifier, so there is no verdict.');
    return;
  }
  const thresholds = new URLSearchParams(env.NOTIFIER_THRESHOLDS ?? '').toString();
  const verdict = await getJson(
    `${env.NOTIFIER_URL}/releases/${env.NOTIFIER_RELEASE_ID}/verdict${thresholds === '' ? '' : `?${thresholds}`}`,
    { headers: { Authorization: `Bearer ${env.NOTIFIER_SECRET_KEY}` } },
  );
  const body = writeComment(verdict, (env.NOTIFIER_PAGES_URL ?? '').replace(/\/$/, ''));
  console.log([`Verdict: ${verdict.verdict}`, ...verdict.reasons].join('\n'));
  if (env.NOTIFIER_OUTPUT) appendFileSync(env.NOTIFIER_OUTPUT, `verdict=${verdict.verdict}\n`);
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${body}\n`);
  if (env.NOTIFIER_COMMENT === 'true' && env.NOTIFIER_PULL_REQUEST && env.GITHUB_TOKEN) {
    const { failed_cases: failed, flaky_cases: flaky } = verdict.checks.tests;
    const isWorthSaying = verdict.verdict === 'fail' || failed.length > 0 || flaky.length > 0;
    try {
      await keepComment(body, isWorthSaying);
    } catch (error) {
      // A token that may not write, such as that of a fork, does not fail the build.
      console.log(`::warning::The comment could not be written: ${error.message}`);
    }
  }
  if (env.NOTIFIER_FAIL_ON_VERDICT === 'true' && verdict.verdict === 'fail') process.exitCode = 1;
}

await main().catch((error) => {
  console.error(`The verdict could not be read: ${error.message} ${(error.text ?? '').slice(0, 500)}`);
  process.exitCode = 1;
});
