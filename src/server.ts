// The entry of `npm start`: checks the Node version before anything else is loaded, then serves.
import './require-node.js';
import './compile-cache.js';
import v8 from 'node:v8';

v8.setFlagsFromString('--heap-growing-percent=30');
// What the command line says of the young generation holds for this thread, whose heap is made. It would go
// before what the program gives each of its other threads (D-238).
v8.setFlagsFromString('--max-semi-space-size=0');

const { readEnvironment } = await import('./program/environment.ts');
const { serve } = await import('./program/serve.ts');
const { writeStandardOutput } = await import('./program/standard-output.ts');
const code = await serve(readEnvironment, { write: writeStandardOutput }, process.stderr);
// A start that failed half-way may have left something open that would keep the process.
if (code !== 0) process.exit(code);
