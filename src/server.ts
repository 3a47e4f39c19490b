// The entry of `npm start`: checks the Node version before anything else is loaded, then serves.
import './require-node.js';

const { serve } = await import('./serve.ts');
const code = await serve(process.env, process.stdout, process.stderr);
// A start that failed half-way may have left something open that would keep the process.
if (code !== 0) process.exit(code);
