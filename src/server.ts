// The entry of `npm start`: checks the Node version before anything else is loaded, then serves.
import './require-node.js';
import './compile-cache.js';
import './heap-growth.js';

const { readEnvironment } = await import('./program/environment.ts');
const { serve } = await import('./program/serve.ts');
const { writeStandardOutput } = await import('./program/standard-output.ts');
const code = await serve(readEnvironment, { write: writeStandardOutput }, process.stderr);
// A start that failed half-way may have left something open that would keep the process.
if (code !== 0) process.exit(code);
