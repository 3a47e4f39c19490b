// `npm run seed`: a development project with fixed keys and three days of errors; `--demo`: the demo
// scenario. Not for production: the keys are public.
import { randomBytes } from 'node:crypto';
import { readEnvironment } from '../src/app/environment.ts';
import { silentLog } from '../src/app/log.ts';
import { openDeps } from '../src/app/open-deps.ts';
import { toStartFailure } from '../src/app/start-failure.ts';
import { ingestEvent } from '../src/core/events/ingest.ts';
import { hourMs } from '../src/core/parsing/durations.ts';
import { createKey } from '../src/core/projects/keys.ts';
import type { Project } from '../src/core/store/projects.ts';
import type { Store } from '../src/core/store/store.ts';

const projectName = 'laptop';
const publicKey = 'laptop_public_key';
const secretKey = 'laptop_secret_key';

/** Type, message, function, file, and hours between two occurrences. */
const errors = [
  ['TypeError', "Cannot read properties of undefined (reading 'price')", 'addToCart', 'cart.js', 1],
  ['RangeError', 'Maximum call stack size exceeded', 'renderTree', 'tree.js', 5],
  ['NetworkError', 'Failed to fetch', 'loadPrices', 'prices.js', 3],
  ['RuntimeException', 'Payment gateway answered 502', 'charge', 'class-gateway.php', 11],
] as const;

const usage = 'Usage: npm run seed [-- --demo]';
const usageExitCode = 64;

const tell = (line: string): void => void process.stderr.write(`${line}\n`);
const [what, ...more] = process.argv.slice(2);
if ((what !== undefined && what !== '--demo') || more.length > 0) {
  tell(`"${[what, ...more].join(' ')}" is nothing that can be seeded. ${usage}`);
  process.exitCode = usageExitCode;
} else {
  await run(what === '--demo');
}

async function run(isDemo: boolean): Promise<void> {
  try {
    process.stdout.write(isDemo ? await demo() : await laptop());
  } catch (error) {
    const { code, sentence } = toStartFailure(error);
    tell(sentence);
    process.exitCode = code;
  }
}

async function laptop(): Promise<string> {
  const { deps, close } = await openDeps(readEnvironment(), { log: silentLog, warn: tell });
  return await seed(deps.store).finally(close);
}

async function demo(): Promise<string> {
  const { seedDemo } = await import('./seed-demo.ts');
  let shown = -1;
  const progress = (done: number, all: number): void => {
    const percent = Math.floor((100 * done) / all);
    if (!process.stderr.isTTY || percent === shown) return;
    shown = percent;
    process.stderr.write(`\rA year of Harbour & Pine: ${percent} %${done === all ? '\n' : ''}`);
  };
  return await seedDemo(readEnvironment(), { nowMs: Date.now(), tell, progress });
}

async function seed(into: Store): Promise<string> {
  const there = await into.findProjectByName(projectName);
  if (there !== null) {
    return `The project "${projectName}" is there already (${there.id}); nothing was changed.\n`;
  }
  const project = await into.createProject({ name: projectName, createdAtMs: Date.now() });
  const deps = { store: into, now: Date.now, randomBytes: (count: number) => randomBytes(count) };
  await createKey(deps, project.id, 'public', { imported: publicKey, label: 'seed' });
  await createKey(deps, project.id, 'secret', { imported: secretKey, label: 'seed' });
  const host = { projectId: project.id, host: 'localhost', bugReports: true, createdAtMs: Date.now() };
  await into.addDomain(host);
  const events = await fileErrors(into, project);
  return `Made the project "${projectName}" (${project.id}) with ${events} events.\n  Public key  ${publicKey}\n  Secret key  ${secretKey}\n`;
}

/** The newest release only occurs in the last day. */
async function fileErrors(into: Store, project: Project): Promise<number> {
  const nowMs = Date.now();
  const deps = {
    store: into,
    now: Date.now,
    log: silentLog,
    randomBytes: (count: number) => randomBytes(count),
  };
  let filed = 0;
  for (const [type, value, name, file, everyHours] of errors) {
    for (let hour = 72; hour >= 0; hour -= everyHours) {
      const receivedAtMs = nowMs - hour * hourMs;
      const frame = { function: name, filename: `/srv/shop/${file}`, lineno: 42, colno: 7, in_app: true };
      const event = {
        timestamp: receivedAtMs / 1000,
        platform: file.endsWith('.php') ? 'php' : 'javascript',
        level: 'error',
        release: hour < 24 ? 'shop@1.1.0' : 'shop@1.0.0',
        environment: 'production',
        exception: { values: [{ type, value, stacktrace: { frames: [frame] } }] },
      };
      await ingestEvent(
        deps,
        project,
        { read: event },
        {
          receivedAtMs,
          clientAddress: '127.0.0.1',
          userAgent: 'seed',
          domain: 'localhost',
        },
      );
      filed += 1;
    }
  }
  return filed;
}
