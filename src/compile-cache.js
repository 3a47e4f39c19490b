// Halves the start time with Node's compile cache; without write access it does nothing. Must be imported by
// `--import`: with a TypeScript entry point Node would load its TypeScript compiler (10 MiB) first. Default
// import, because old Nodes lack the named export and would crash before require-node.js runs.
import module from 'node:module';
import path from 'node:path';

module.enableCompileCache(path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'notifier'));
