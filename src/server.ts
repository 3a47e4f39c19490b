// Entry point of `npm start`; checks the Node version before anything else is loaded.
import './require-node.js';
import './compile-cache.js';

const { setServerFlags } = await import('./app/v8-flags.ts');
setServerFlags();
const { readEnvironment } = await import('./app/environment.ts');
const { serve } = await import('./app/serve.ts');
const { writeStandardOutput } = await import('./app/standard-output.ts');
const code = await serve(readEnvironment, { write: writeStandardOutput }, process.stderr);
// Open handles of a failed start would keep the process alive.
if (code !== 0) process.exit(code);
