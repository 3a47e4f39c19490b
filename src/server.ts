// The entry of `npm start`: checks the Node version before anything else is loaded, then serves.
import './require-node.js';

const { serve } = await import('./serve.ts');
process.exitCode = await serve(process.env, process.stdout, process.stderr);
