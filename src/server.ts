// Entry point of `npm start`; checks the Node version before anything else is loaded.
import './require-node.js';
import './compile-cache.js';
import v8 from 'node:v8';

v8.setFlagsFromString('--heap-growing-percent=30');
// The main thread's young generation exists already. Resets the command line's flag, which would override the
// limits of worker threads.
v8.setFlagsFromString('--max-semi-space-size=0');

const { readEnvironment } = await import('./app/environment.ts');
const { serve } = await import('./app/serve.ts');
const { writeStandardOutput } = await import('./app/standard-output.ts');
const code = await serve(readEnvironment, { write: writeStandardOutput }, process.stderr);
// Open handles of a failed start would keep the process alive.
if (code !== 0) process.exit(code);
