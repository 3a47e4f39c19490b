// A process of its own, so that its collections and its work delay nobody who is measured: asks for paths at
// even distances, whether the one before was answered or not, and prints how long each took.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const perSecond = 50;

const origin = process.argv[2] ?? '';
const paths = JSON.parse(process.argv[3] ?? '[]') as string[];
// Its own start is over by then, and its code was run a while: both would take a processor from the server.
await sleep(500);
for (let nth = 0; nth < 150; nth += 1) {
  await askOnce(`${origin}/demo/help`);
  await sleep(5);
}
const beganMs = performance.now();
const all: Array<Promise<number>> = [];
for (const [nth, path] of paths.entries()) {
  const waitMs = beganMs + (nth * 1000) / perSecond - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  all.push(askOnce(`${origin}/demo${path}`));
}
process.stdout.write(JSON.stringify(await Promise.all(all)));

async function askOnce(url: string): Promise<number> {
  const askedMs = performance.now();
  const answer = await fetch(url, { headers: { accept: 'text/html' } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
  return performance.now() - askedMs;
}
